"""What others are told of a match that went on: how far, and the entries themselves as far as there is room for them.

Whoever stands where these entries begin takes them as they are; whoever does not reads what is stored. So a
notification that is lost, doubled or late costs a look into the database, and nothing else.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from quincunx.match.record import Entry

MOST = 64  # entries that are kept for whoever has not taken them yet

_read = msgspec.json.Decoder(Entry).decode


class Notification(NamedTuple):
    """Others have appended to a match, up to `seq` at least; 0: something else of it may be another, too. Without a
    match: some were missed, look at all."""

    match: str | None
    seq: int
    texts: tuple[str, ...] = ()  # the last entries up to `seq`, as they are stored

    @property
    def after(self) -> int:
        """The `seq` on which the entries follow."""
        return self.seq - len(self.texts)

    def beyond(self, seq: int) -> list[Entry]:
        """What follows on `seq`; nothing, if it is not told or there is nothing."""
        return [_read(text) for text in self.texts[seq - self.after :]] if self.after <= seq < self.seq else []


def joined(one: Notification, other: Notification) -> Notification:
    """Both, of the same match, in whatever order they came."""
    if not (one.seq and other.seq):
        return Notification(one.match, 0)
    older, newer = sorted((one, other), key=lambda each: each.seq)
    texts = newer.texts
    if older.after < newer.after <= older.seq:
        texts = older.texts[: newer.after - older.after] + texts
    return Notification(one.match, newer.seq, texts[-MOST:])
