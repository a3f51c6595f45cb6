"""Judges that fail, and one that does not, for a process that imports nothing else."""
import os
import signal
import time


def hangs(*given):
    time.sleep(60)


def ends(*given):
    os._exit(1)


def raises(*given):
    raise RuntimeError("a check of ours is wrong")


def spins(content, release, limits, boundary, seconds):
    signal.setitimer(signal.ITIMER_PROF, seconds)       # as judge does
    while True:
        pass


def works(*given):
    return {"tasks": ["judged"]}


def ends_once(begun, *given):
    if begun.exists():
        begun.unlink()
        return works()
    begun.touch()
    os._exit(1)


def finds_no_notebook(*given):
    from grading import submission

    submission.cells_of(b"")
