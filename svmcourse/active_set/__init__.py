"""The chapter "The active-set method": its figures, its quiz, the checks of its exercises."""
