"""What makes the solvers fast: rows on demand, steps on the free variables, compiled loops."""
