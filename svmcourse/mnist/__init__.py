"""The chapter "Handwritten digits: MNIST": its figures, its quiz, the checks of its exercises."""
