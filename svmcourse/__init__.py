"""What only notebooks use: figures that move, quizzes, plots, checks of exercises."""

from svmcourse.shared import plotting
from svmcourse.shared.explore import explore
from svmcourse.shared.quiz import quiz
from svmcourse.shared.tables import table

plotting.style()

__all__ = ["explore", "plotting", "quiz", "table"]
