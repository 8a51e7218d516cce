"""{{title}}"""

# {{help}}

from __future__ import annotations

import random
import sys

from view import View


def choose(view: View) -> str:
    print(len(view.legal), file=sys.stderr)  # {{example}}
    return random.choice(view.legal)
