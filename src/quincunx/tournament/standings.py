"""The table of a tournament, counted as results come in: points, wins, time of thought, and who met whom.

It grows with the number of players and not with that of matches, so that a table can stay open for ever.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from quincunx.tournament.results import Result


@dataclass
class Line:
    """What one player reached."""

    name: str
    matches: int = 0
    points: float = 0.0  # of matches,
    byes: int = 0  # and of rests: in a Swiss round without an opponent every match of a pairing counts as won
    wins: int = 0
    draws: int = 0
    losses: int = 0
    seconds: float = 0.0
    choices: int = 0
    troubles: dict[str, int] = field(default_factory=dict)  # how often it left before the end, by its code

    def add(self, rank: int, points: float, first: int) -> None:
        """A match; `first`: how many came first."""
        self.matches += 1
        self.points += points
        self.wins += rank == 1 and first == 1
        self.draws += rank == 1 and first > 1
        self.losses += rank > 1

    @property
    def gained(self) -> float:
        return self.points + self.byes

    @property
    def counted(self) -> int:
        """Matches, and those of rests."""
        return self.matches + self.byes

    @property
    def share(self) -> float:
        return self.gained / self.counted if self.counted else 0.0

    @property
    def think_time(self) -> float:
        """Seconds for one choice."""
        return self.seconds / self.choices if self.choices else 0.0


class Standings:
    def __init__(self, names: Sequence[str]) -> None:
        self.lines = {name: Line(name) for name in names}

    def add(self, result: Result) -> None:
        first = result.ranks.count(1)
        for seat, (name, rank, points) in enumerate(zip(result.players, result.ranks, result.points, strict=True)):
            line = self.lines.setdefault(name, Line(name))
            line.add(rank, points, first)
            if result.seconds:
                line.seconds += result.seconds[seat]
            if result.choices:
                line.choices += result.choices[seat]
            if result.troubles and result.troubles[seat]:
                code = trouble_code(result.troubles[seat])
                line.troubles[code] = line.troubles.get(code, 0) + 1

    def counting(self, byes: Mapping[str, int], names: Iterable[str] = ()) -> dict[str, Line]:
        """The lines with what rests bring, and one for each of these names."""
        lines = {name: self.lines.get(name) or Line(name) for name in (*names, *self.lines)}
        return {name: replace(line, byes=byes.get(name, 0)) for name, line in lines.items()}


def by_share(lines: Iterable[Line]) -> list[Line]:
    """By the share of points, then by how many matches that stands on, then by name."""
    return sorted(lines, key=lambda line: (-line.share, -line.counted, line.name))


def trouble_code(text: str) -> str:
    """`forfeit: crashed: The program ended …` is `crashed`, `resign` is `resign`."""
    event, _, rest = text.partition(": ")
    code = rest.partition(":")[0]
    return code if code.isidentifier() else event
