"""The chapter "When should I use one?": its figures, its quiz, the checks of its exercises."""
