"""Records of matches: given out, taken in, and shown frame by frame.

While a match with secrets runs, nothing of this is answered. What comes in is played through, every digest compared,
before it is stored.
"""

from __future__ import annotations

import asyncio
import time

import msgspec

from quincunx.core.contract import PUBLIC
from quincunx.core.words import Refused, Words, expected
from quincunx.games import package
from quincunx.match import MatchRecord, Seat, decode, encode, replay
from quincunx.match.record import Entry
from quincunx.server.budgets import charge
from quincunx.server.frames import read_entries, replayed, standing
from quincunx.server.match_shapes import LARGEST, MOST_ENTRIES
from quincunx.server.process_pool import Run, run_here
from quincunx.server.tokens import new_id
from quincunx.store import Store, StoredMatch, StoredSeat

SECRET = Words(
    "Cette partie a des secrets : attendez qu’elle soit finie.", "This match has secrets: wait until it is over."
)
ONLY_PUBLIC = Words("Pendant la partie : la vue publique seulement.", "While the match runs: the public view only.")
LONGEST_NAME = 100
LONGEST_RECORD = 4 * 2**20  # bytes of a file
PORTION = 500  # entries that are read at once
SHORT = 40_000  # bytes of entries that are sooner read here than sent elsewhere


def open_to_all(stored: StoredMatch) -> None:
    """Refused while the match could still tell a secret."""
    if stored.status != "over" and package(stored.game).CARD.fog:
        raise Refused("running", SECRET)


def first_actions(entries: bytes, count: int) -> bytes:
    """What a fork begins with, as if no time had passed."""
    kept = standing(read_entries(entries))
    if count > len(kept):
        raise expected(Words("au plus {} actions", "at most {} actions").format(len(kept)), count)
    return msgspec.json.encode([msgspec.structs.replace(entry, at=0) for entry in kept[:count]])


async def download(store: Store, run: Run, stored: StoredMatch) -> bytes:
    open_to_all(stored)
    entries = await store.entries_text(stored.id)
    return await (run_here if len(entries) < SHORT else run)(filed, stored, entries)


def filed(stored: StoredMatch, entries: bytes) -> bytes:
    """A record as it stands in a file; the seed of a match that goes on is nobody's to know."""
    record = stored.record(read_entries(entries))
    if stored.status != "over":
        record.seed = None
    return encode(record)


# -- taking in ------------------------------------------------------------------------------------------------------


async def take_in(store: Store, run: Run, data: bytes, public: bool, id: str = "") -> str:
    """Checks a record, stores it as a match that is over, finished or not, and returns its id."""
    record = await _in_portions(await run(checked, data))
    stored = StoredMatch(
        id=id or new_id(), game=record.game, rules=record.rules, options=record.options, start=record.start,
        start_digest=record.start_digest, seats=tuple(map(_stored_seat, record.seats)), seed=record.seed,
        created=time.time_ns() // 1_000_000, public=public, status="over", outcome=record.outcome,
    )  # fmt: skip
    await store.create(stored, record.entries)
    charge(entries=len(record.entries))
    return stored.id


def checked(data: bytes) -> bytes:
    """A record as the match that follows it would write it, its entries in portions; refused if it is none, or departs
    from its game."""
    record = decode(data)
    _check_sizes(record)
    whole = replay(record).record()
    portions = [whole.entries[first : first + PORTION] for first in range(0, len(whole.entries), PORTION)]
    whole.entries = []
    return msgspec.json.encode([whole, *portions])


async def _in_portions(data: bytes) -> MatchRecord:
    """What `checked` wrote; others have their turn between two portions."""
    whole, *portions = msgspec.json.decode(data, type=list[msgspec.Raw])
    record = msgspec.json.decode(whole, type=MatchRecord)
    for portion in portions:
        record.entries += msgspec.json.decode(portion, type=list[Entry])
        await asyncio.sleep(0)
    return record


def _check_sizes(record: MatchRecord) -> None:
    """What the rules do not look at, and the database would choke on."""
    if len(record.entries) > MOST_ENTRIES:
        raise expected(Words("au plus {} entrées", "at most {} entries").format(MOST_ENTRIES), len(record.entries))
    if record.seed is not None and not 0 <= record.seed <= LARGEST:
        raise expected(Words("une graine de 0 à 2⁵³", "a seed from 0 to 2⁵³"), record.seed)
    for entry in record.entries:
        if not 0 <= entry.at <= LARGEST:
            raise expected(Words("un temps de 0 à 2⁵³ ms", "a time from 0 to 2⁵³ ms"), entry.at)
    for name in [text for seat in record.seats for text in (seat.name, seat.player)]:
        if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
            raise expected(Words("des noms de 1 à 100 caractères", "names of 1 to 100 characters"), name)


def _stored_seat(seat: Seat) -> StoredSeat:
    """Nobody has its token: an imported match is looked at, or forked."""
    return StoredSeat("person" if seat.player == "person" else "computer", seat.name, seat.player)


# -- frame by frame -------------------------------------------------------------------------------------------------


async def frames(
    store: Store, run: Run, stored: StoredMatch, observer: int, first: int, count: int, board: bool = False
) -> bytes:
    """Some frames, as one seat or the public saw them."""
    open_to_all(stored)
    if stored.status != "over" and observer != PUBLIC:
        raise Refused("running", ONLY_PUBLIC)
    if observer != PUBLIC and not 0 <= observer < len(stored.seats):
        wanted = Words("une place de 0 à {}, ou -2", "a seat from 0 to {}, or -2").format(len(stored.seats) - 1)
        raise expected(wanted, observer)
    entries = await store.entries_text(stored.id)
    charge(read=len(entries))
    return await run(_replayed, stored, entries, observer, first, count, board)


def _replayed(stored: StoredMatch, entries: bytes, observer: int, first: int, count: int, board: bool) -> bytes:
    return replayed(stored, read_entries(entries), observer, first, count, board)
