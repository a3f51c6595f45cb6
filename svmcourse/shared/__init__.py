"""What chapters share: figures that move, quizzes, tables, plotting, and the forms of a picture."""
