"""The chapter "Hilbert spaces and Mercer": its figures, its quiz, the checks of its exercises."""
