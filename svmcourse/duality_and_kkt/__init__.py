"""The chapter "Duality and the KKT conditions": its figures, its quiz, the checks of its exercises."""
