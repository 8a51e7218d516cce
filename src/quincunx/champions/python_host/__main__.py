"""`python python_host FILE.py`: plays the champion in FILE.py, with the bot protocol on stdin and stdout."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

if __name__ == "__main__":
    here = Path(__file__).resolve().parent
    sys.path[0] = str(here.parent)  # this folder as a package, under a name that no champion's own module has
    sys.exit(importlib.import_module(f"{here.name}.playing").main(sys.argv[1:]))
