"""The chapter "Hard margin": its figures, its quiz, the checks of its exercises."""
