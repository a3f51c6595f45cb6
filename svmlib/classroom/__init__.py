"""What only notebooks use: figures that move, quizzes, plots, checks of exercises."""

from svmlib.classroom.explore import explore
from svmlib.classroom.quiz import quiz

__all__ = ["explore", "quiz"]
