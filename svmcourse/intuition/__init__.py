"""The chapter "Intuition: which line?": its figures, its quiz, the checks of its exercises."""
