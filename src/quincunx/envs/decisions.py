"""Matches as rows to learn from: each decision with what its seat saw, what it might do, what it did, how it ended.

A row has the view of the seat that acts, encoded, and of nobody else. `rows_of` is all that an export writes, and an
import makes the same rows again and compares them: what cannot be repeated is not believed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from quincunx.core.words import Refused, Words
from quincunx.envs.encoding import Encoding
from quincunx.envs.rewards import rewards_of
from quincunx.games import World, load
from quincunx.match import Match, MatchRecord, encode, replay

NO_NUMBER = -1  # of an action that the encoding does not say: a path that nobody was offered

MIXED = Words(
    "Ces parties ne vont pas dans un même fichier : l’une est de {}, l’autre de {}.",
    "These matches do not go into one file: one is of {}, another of {}.",
)
NOTHING = Words("Il faut au moins une partie enregistrée.", "This needs at least one record.")


class Decision(NamedTuple):
    match: int  # which of the matches, from 0
    ply: int  # how many actions came before, dice included
    seat: int
    planes: NDArray[np.int8]
    scalars: NDArray[np.int32]
    mask: NDArray[np.int8]
    number: int  # of what was played, or NO_NUMBER
    action: str
    reward: float | None  # of its seat in the end, from -1 to 1; None of a match that goes on
    rank: int | None
    score: int | None


@dataclass(frozen=True)
class Layout:
    """What all rows of a file have in common."""

    game: str
    rules: int
    encoding: int
    digest: str  # of what every plane, scalar and number means
    planes: tuple[str, ...]
    scalars: tuple[str, ...]
    size: tuple[int, int]
    actions: int


def encoding_of(record: MatchRecord) -> Encoding:
    start: dict[str, object] = {**record.options, "position": record.start}
    return Encoding(load(record.game, "compiled"), start)


def layout_of(records: Sequence[MatchRecord]) -> Layout:
    """Refused if they differ in game or size: a column has one shape."""
    if not records:
        raise Refused("no_records", NOTHING)
    first = encoding_of(records[0])
    for record in records[1:]:
        other = encoding_of(record)
        if _kind(other) != _kind(first):
            raise Refused("mixed_records", MIXED.format(_kind(first), _kind(other)))
    said = first.planes, first.scalars, first.size, first.actions
    return Layout(first.game.card.id, first.game.card.version, first.version, first.digest, *said)


def _kind(encoding: Encoding) -> str:
    return f"{encoding.game.card.id} {encoding.size[1]} × {encoding.size[0]}"


def record_digest(record: MatchRecord) -> str:
    """To know a record again that is not in the file."""
    return sha256(encode(record)).hexdigest()


def rows_of(record: MatchRecord, number: int) -> Iterator[Decision]:
    """Replays a record, which checks every action and every digest, and tells each decision that stood."""
    match = replay(record, load(record.game, "compiled"))
    encoding, world = encoding_of(record), match.beginning()
    ends = _ends(match)
    for ply, (seat, action) in enumerate(match.standing):
        if seat >= 0:
            yield _decision(encoding, world, number, ply, seat, action, ends[seat])
        match.game.apply(world, seat, action)


def _ends(match: Match) -> list[tuple[float | None, int | None, int | None]]:
    """Reward, rank and score of each seat."""
    if match.outcome is None:
        return [(None, None, None)] * len(match.seats)
    ranks = match.outcome.ranks
    rewards = rewards_of([-rank for rank in ranks])
    return list(zip(rewards, ranks, match.outcome.scores, strict=True))


def _decision(
    encoding: Encoding,
    world: World,
    match: int,
    ply: int,
    seat: int,
    action: int,
    end: tuple[float | None, int | None, int | None],
) -> Decision:
    planes, scalars = encoding.observe(encoding.game.view(world, seat))
    mask = encoding.mask(world, seat).view(np.int8)
    try:
        number = encoding.number(world, seat, action)
    except Refused:
        number = NO_NUMBER
    text = encoding.game.text(world, seat, action)
    return Decision(match, ply, seat, planes, scalars, mask, number, text, *end)
