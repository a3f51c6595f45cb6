"""The chapter "Feature maps and the kernel trick": its figures, its quiz, the checks of its exercises."""
