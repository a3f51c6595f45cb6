"""The chapter "Sequential minimal optimization": its figures, its quiz, the checks of its exercises."""
