"""What a player is: it is handed what its seat knows, and nothing else, and names an action."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from quincunx.games import Outlook


@dataclass(frozen=True)
class Info:
    """What a player can say about its last choice."""

    nodes: int = 0  # actions played in thought, or simulations
    depth: int = 0
    worth: float | None = None  # for the seat: in hundredths of a small piece, or the share of games won (MCTS)
    seconds: float = 0.0


class Player(Protocol):
    name: str
    info: Info

    def choose(self, outlook: Outlook) -> int:
        """An action of the seat of `outlook`, which is to act."""
