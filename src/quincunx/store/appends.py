"""An append as the writer takes it: the rows of its entries, and what becomes of the match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from quincunx.core.words import Words, expected
from quincunx.match.record import Entry, Outcome, Played
from quincunx.store.shapes import Status, check_id


class Appending(NamedTuple):
    match: str
    after: int
    rows: list[dict[str, Any]]  # of the table `entries`
    client_move_id: str | None
    change: dict[str, Any] | None  # of the match: its status and outcome


def appending(
    match: str,
    after: int,
    entries: Sequence[Entry],
    client_move_id: str | None,
    status: Status | None,
    outcome: Outcome | None,
) -> Appending:
    if not entries:
        raise expected(Words("au moins une entrée", "at least one entry"), list(entries))
    if client_move_id is not None:
        check_id(client_move_id)
    status = status or ("over" if outcome else None)
    change = {"new_status": status, "new_outcome": outcome} if status else None
    return Appending(match, after, rows_of(check_id(match), after, entries, client_move_id), client_move_id, change)


def rows_of(match: str, after: int, entries: Sequence[Entry], client_move_id: str | None) -> list[dict[str, Any]]:
    """Rows of the table; the id of the move stands on the first of them."""
    return [
        {
            "match": match,
            "seq": seq,
            "kind": "action" if isinstance(entry, Played) else "event",
            "payload": entry,
            "at": entry.at,
            "client_move_id": client_move_id if seq == after + 1 else None,
        }
        for seq, entry in enumerate(entries, after + 1)
    ]
