"""A match again, frame by frame, as one seat or the public saw it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from quincunx.core.board import Board
from quincunx.games import load
from quincunx.match import MatchRecord, Played
from quincunx.match.record import Entry
from quincunx.match.wire import write
from quincunx.server.match_shapes import Frame, Replayed
from quincunx.store import StoredMatch, damaged

LONGEST_PAGE = 2 * 2**20  # bytes of frames in one answer, about


def read_entries(text: bytes) -> list[Entry]:
    try:
        return msgspec.json.decode(text, type=list[Entry])
    except msgspec.DecodeError:
        raise damaged("?") from None


def standing(entries: Sequence[Entry]) -> list[Played]:
    """The actions that were not taken back."""
    kept: list[Played] = []
    for entry in entries:
        if isinstance(entry, Played):
            kept.append(entry)
        elif entry.event == "take_back":
            del kept[entry.kept :]
    return kept


def replayed(
    stored: StoredMatch, entries: Sequence[Entry], observer: int, first: int, count: int, board: bool
) -> bytes:
    """As it goes over the wire: so many frames as fit into one answer."""
    played = standing(entries)
    shown: list[Frame] = []
    size = 0
    for frame in walk(stored, played, range(first, first + count), observer, board):
        size += len(msgspec.json.encode(frame))
        if shown and size > LONGEST_PAGE:
            break
        shown.append(frame)
    names = tuple(seat.name for seat in stored.seats)
    return write(Replayed(len(played) + 1, names, stored.options, stored.outcome, tuple(shown), observer))


def walk(
    match: StoredMatch | MatchRecord,
    played: Sequence[Played],
    wanted: Sequence[int],
    observer: int,
    board: bool = False,
    everything: bool = False,
) -> Iterator[Frame]:
    """The frames of these numbers, which ascend, as one seat or the public saw them; or, told as to an observer,
    `everything` that can be shown."""
    game = load(match.game)
    options: dict[str, Any] = dict(match.options)
    world = game.new(position=match.start, **options)
    numbers = frozenset(wanted)
    for n, entry in enumerate([None, *played[: wanted[-1]]]):
        story: tuple[object, ...] = ()
        if entry is not None:
            action = game.parse(world, entry.seat, entry.action)
            if n in numbers:
                story = tuple(game.apply_and_tell(world, entry.seat, action, observer, n - 1))
            else:
                game.apply(world, entry.seat, action)
        if n in numbers:
            seen = game.preview(world) if everything else game.view(world, observer)
            yield _frame(n, entry, game.show(seen), story, match.start_digest, game.board(seen) if board else None)


def _frame(
    n: int, entry: Played | None, shown: object, story: tuple[object, ...], start_digest: str, board: Board | None
) -> Frame:
    if entry is None:
        return Frame(n, None, None, 0, shown, story, start_digest, board)
    return Frame(n, entry.seat, entry.action, entry.at, shown, story, entry.digest, board)
