"""The chapter "A gallery of kernels": its figures, its quiz, the checks of its exercises."""
