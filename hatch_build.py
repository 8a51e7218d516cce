"""Whoever installs Quincunx from its sources gets the pages and the documents built: Python and pip are enough, also
for `-e`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

STEPS = ("pages.py", "docs.py")  # each does nothing if what is there is what the sources would give


class Pages(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":  # the source archive carries web/ and docs/ themselves
            return
        for step in STEPS:
            made = subprocess.run([sys.executable, str(Path(self.root) / "tools" / step)])
            if made.returncode:
                raise RuntimeError(f"tools/{step} could not build what the wheel is to contain.")
