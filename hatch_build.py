"""Whoever installs Quincunx from its sources gets the pages built: Python and pip are enough, also for `-e`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Pages(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":  # the source archive carries web/ itself
            return
        sys.path.insert(0, str(Path(self.root) / "tools"))
        import pages

        if not pages.is_fresh():
            pages.build()
