"""The chapter "SVMs at scale": its figures, its quiz, the checks of its exercises."""
