"""The chapter "Choosing hyperparameters": its figures, its quiz, the checks of its exercises."""
