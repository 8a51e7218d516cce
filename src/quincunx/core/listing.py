"""The legal actions as search takes them: no more than there is room for, whatever a game's rules believe."""

from __future__ import annotations

from quincunx.core.contract import State, Terms, legal
from quincunx.core.engine import rule
from quincunx.core.structure import within


@rule
def listed(terms: Terms, s: State, seat: int, out: list[int]) -> int:
    """As `legal`. Where MAX_LEGAL is too small, that is an error in every gear."""
    return within(legal(terms, s, seat, out), len(out))
