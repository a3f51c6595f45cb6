"""The chapter "Quadratic programming": its figures, its quiz, the checks of its exercises."""
