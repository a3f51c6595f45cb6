"""The chapter "Regression, novelty, probability": its figures, its quiz, the checks of its exercises."""
