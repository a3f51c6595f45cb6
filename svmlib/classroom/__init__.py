"""What only notebooks use: figures that move, quizzes, plots, checks of exercises."""

from svmlib.classroom import plotting
from svmlib.classroom.explore import explore
from svmlib.classroom.quiz import quiz
from svmlib.classroom.tables import table

plotting.style()

__all__ = ["explore", "plotting", "quiz", "table"]
