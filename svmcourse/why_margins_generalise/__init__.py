"""The chapter "Why margins generalise": its figures, its quiz, the checks of its exercises."""
