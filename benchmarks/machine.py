"""On what a measurement was made: processor, memory, versions.  No host name."""
from __future__ import annotations

import os
import platform
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_info

PACKAGES = ["svmlib", "numpy", "scipy", "numba", "scikit-learn", "scikit-learn-intelex", "thundersvm"]


def describe() -> dict[str, Any]:
    """Date, processor, cores, memory in GB, load when the run began, Python, packages and BLAS."""
    import numpy as np  # noqa: F401  (so that its BLAS is loaded and listed)

    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    return {"date": date.today().isoformat(), "processor": processor(), "cores": os.cpu_count(),
            "memory_GB": round(memory, 1), "load_at_start": round(os.getloadavg()[0], 2), "system": platform.system(),
            "python": platform.python_version(), "packages": packages(),
            "blas": [f"{b['internal_api']} {b['version']} ({b.get('architecture')}, {b['num_threads']} threads)"
                     for b in threadpool_info() if b["user_api"] == "blas"]}


def processor() -> str:
    """Name of the processor model."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def packages() -> dict[str, str]:
    """Versions of what is installed of PACKAGES."""
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
