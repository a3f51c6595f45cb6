"""Grade submitted notebooks: every answer runs in a sandbox, and is judged from outside it.

    sandbox.py    the process that runs a submission's cells; knows nothing of points
    remote.py     the judge's end of the pipe: answers as functions that are called over there
    judge.py      one submission: rebuild it from the release, run it, ask each check
    report.py     feedback for students, points as CSV, one page for the instructor
"""
