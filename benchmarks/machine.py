"""The machine on which figures were measured, and the versions of what was used: every file of results says both."""

from __future__ import annotations

import os
import platform
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any


def load_average() -> str:
    return " ".join(f"{load:.1f}" for load in os.getloadavg()) if hasattr(os, "getloadavg") else "unknown"


def machine() -> dict[str, Any]:
    return {
        "system": platform.system(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "load": load_average(),
        "measured": date.today().isoformat(),
    }


def versions() -> dict[str, str]:
    return {"python": platform.python_version(), **{name: version(name) for name in ("llvmlite", "numpy")}}


def processor() -> str:
    information = Path("/proc/cpuinfo")
    if information.exists():
        names = [line for line in information.read_text().splitlines() if line.startswith("model name")]
        if names:
            return names[0].partition(":")[2].strip()
    return platform.processor() or platform.machine()
