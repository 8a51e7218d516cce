"""Matches and setups in SQLite or PostgreSQL. What was acknowledged survives a crash.

Whoever asks for the types only, loads no database: in a page there is none (offline/)."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from quincunx.store.news import Notification
from quincunx.store.shapes import (
    Answer,
    Appended,
    Conflict,
    Duplicate,
    SeatKind,
    Standing,
    Status,
    Stored,
    StoredMatch,
    StoredSeat,
    StoredSetup,
    Unavailable,
    damaged,
)

if TYPE_CHECKING:
    from quincunx.store.setups import Setups
    from quincunx.store.store import Store

__all__ = [
    "Answer",
    "Appended",
    "Conflict",
    "Duplicate",
    "Notification",
    "SeatKind",
    "Setups",
    "Standing",
    "Status",
    "Store",
    "Stored",
    "StoredMatch",
    "StoredSeat",
    "StoredSetup",
    "Unavailable",
    "damaged",
]


def __getattr__(name: str) -> Any:
    if name in ("Setups", "Store"):
        return getattr(import_module(f"{__name__}.{name.lower()}"), name)
    raise AttributeError(name)
