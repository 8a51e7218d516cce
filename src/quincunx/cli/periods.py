"""How long: `90d`, `12h`, `30m`; in French days are `j` too."""

from __future__ import annotations

import re

from quincunx.core.words import Words, expected

PERIOD = Words("une durée comme 90j, 12h ou 30m", "a time like 90d, 12h or 30m")
UNITS = {"d": 86_400_000, "j": 86_400_000, "h": 3_600_000, "m": 60_000}  # milliseconds


def read_period(given: str) -> int:
    """Milliseconds."""
    found = re.fullmatch(r"(\d{1,6})\s*([djhm])", given.strip().lower())
    if found is None or not int(found[1]):
        raise expected(PERIOD, given)
    return int(found[1]) * UNITS[found[2]]
