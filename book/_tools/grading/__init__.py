"""Grade submitted notebooks: every answer runs behind a boundary of the system, and is judged from outside it.

    collect.py       which submissions there are: files as students name them and as platforms export them
    submission.py    a notebook as cells to run, rebuilt from the release
    course.py        what a submission can see of us: svmlib, compiled once, and svmcourse without checks and solutions
    boundary.py      the command that starts a process behind bubblewrap, Podman or Docker; a look from inside
    sandbox.py       the process that runs a submission's cells; knows nothing of points
    remote.py        the judge's end of the pipe: answers as functions that are called over there
    judge.py         one submission: run it, ask each check
    marks.py         points given by hand, in a file that no run overwrites
    report.py        feedback for students, points as CSV, one page for the instructor
"""
