"""The chapter "More than two classes": its figures, its quiz, the checks of its exercises."""
