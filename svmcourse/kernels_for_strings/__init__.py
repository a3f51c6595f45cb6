"""The chapter "Kernels for strings": its figures, its quiz, the checks of its exercises."""
