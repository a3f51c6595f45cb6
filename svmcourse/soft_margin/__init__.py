"""The chapter "Soft margin and hinge loss": its figures, its quiz, the checks of its exercises."""
