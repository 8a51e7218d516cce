"""Matches and setups in SQLite or PostgreSQL. What was acknowledged survives a crash."""

from quincunx.store.setups import Setups
from quincunx.store.shapes import (
    Answer,
    Appended,
    Conflict,
    Duplicate,
    Notification,
    SeatKind,
    Status,
    Stored,
    StoredMatch,
    StoredSeat,
    StoredSetup,
    Unavailable,
    damaged,
)
from quincunx.store.store import Store

__all__ = [
    "Answer",
    "Appended",
    "Conflict",
    "Duplicate",
    "Notification",
    "SeatKind",
    "Setups",
    "Status",
    "Store",
    "Stored",
    "StoredMatch",
    "StoredSeat",
    "StoredSetup",
    "Unavailable",
    "damaged",
]
