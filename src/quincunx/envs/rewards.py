"""What a match was worth to each seat, from -1 to 1.

    reward = (seats that come after it - seats that come before it) / (seats - 1)

Two seats: 1 for the winner, -1 for the loser, 0 for a draw. Of more, the first alone has 1, the last alone -1, the
others stand in between in equal steps, and who share a rank share a reward. All of them sum to 0.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from quincunx.match.match import ranks_of


def rewards_of(scores: Sequence[int], gone: Collection[int] = ()) -> list[float]:
    """By the scores at the end; seats in `gone` broke a rule and come after all others."""
    ranks = ranks_of(scores, gone)
    others = max(1, len(ranks) - 1)
    return [(sum(rank > own for rank in ranks) - sum(rank < own for rank in ranks)) / others for own in ranks]
