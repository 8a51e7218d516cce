"""What a player is: it is handed what its seat knows, and nothing else, and names an action."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from quincunx.games import Observation


@dataclass(frozen=True)
class Info:
    """What a player can say about its thought: while it thinks, and about its last choice.

    It tells what the seat knows and wants; whoever may not see the seat's view may not see this either.
    """

    nodes: int = 0  # actions played in thought, or simulations
    depth: int = 0
    value: float | None = None  # for the seat: in hundredths of a small piece, or the share of games won (MCTS)
    seconds: float = 0.0
    line: tuple[str, ...] = ()  # how it expects the game to go on; worked out only if somebody listens
    proven: bool = False  # won, lost or drawn for certain, whatever others do
    capped: bool = False  # its rules were not compiled yet, and it was stopped before its budget was used

    @property
    def speed(self) -> float:
        """Nodes a second."""
        return self.nodes / self.seconds if self.seconds > 0 else 0.0


Report = Callable[[Info], None]


def silent(info: Info) -> None:
    """Nobody listens."""


class Player(ABC):
    """Set `report` to hear what it thinks while it does."""

    name: str
    most_seconds: float | None = None  # a cap on every thought, whatever its budget says

    def __init__(self) -> None:
        self.info = Info()
        self.report: Report = silent

    @abstractmethod
    def choose(self, observation: Observation) -> int:
        """An action of the seat of `observation`, which is to act."""

    @abstractmethod
    def begin(self, seed: int) -> None:
        """From here on it plays as if it had just been made with this seed; its room is not allocated again."""

    def cancel(self) -> None:  # noqa: B027  (who hardly thinks need not be stopped)
        """From any thread: the thought that goes on, or else the next one, soon ends with the best action so far."""

    def memory(self) -> bytes:
        """What it must remember until its next choice, for `recall`; most players need only look."""
        return b""

    def recall(self, memory: bytes) -> None:  # noqa: B027
        """Goes on from what another player of the same name remembered. Only our own bytes: they are trusted."""
