"""Matches of a tournament in whatever process: from the plan and their numbers to results with records."""

from __future__ import annotations

import os
import socket
import zlib
from functools import cache, lru_cache
from threading import Lock
from time import perf_counter
from typing import NamedTuple

import msgspec

from quincunx.games import load
from quincunx.match import MatchRecord, decode
from quincunx.match.record import LEAVING, Happened
from quincunx.tournament.plan import Plan
from quincunx.tournament.results import Result
from quincunx.tournament.series import Bout, Series, play_one

SWIFT = 1  # of zlib: most of what there is to gain

_one_at_a_time = Lock()  # a game is not made for several threads, and a worker of a cluster may have some


class Task(NamedTuple):
    """Some matches of one pairing."""

    plan: bytes  # JSON
    pairing: int
    players: tuple[int, ...]
    numbers: tuple[int, ...]


class Finished(NamedTuple):
    """One match."""

    pairing: int
    number: int
    result: bytes  # JSON
    record: bytes
    place: str


class Done(NamedTuple):
    """A task, and the seconds that it took."""

    matches: list[Finished]
    seconds: float


def perform(task: Task) -> Done:
    """All matches of a task."""
    plan = _plan(task.plan)
    with _one_at_a_time:
        load(plan.game, "compiled")  # the first one of a process takes its time, and says nothing about the next
        began = perf_counter()
        return Done([_perform_one(plan, task, number) for number in task.numbers], perf_counter() - began)


def _perform_one(plan: Plan, task: Task, number: int) -> Finished:
    seats = len(task.players)
    start = number // seats % len(plan.starts)
    series = _series(task.plan, task.pairing, task.players, start)
    bout = play_one(series, number)
    result = _result(series, bout, task.pairing, plan.starts[start].name)
    return Finished(task.pairing, number, msgspec.json.encode(result), packed(bout.record), place())


def _result(series: Series, bout: Bout, pairing: int, start: str) -> Result:
    chairs = series.chairs(bout.number)
    efforts = [bout.efforts[who] for who in chairs]
    return Result(
        pairing, bout.number, tuple(series.name(who) for who in chairs), tuple(bout.outcome.ranks), start,
        bout.number // len(chairs), bout.outcome.reason, tuple(round(e.seconds, 4) for e in efforts),
        tuple(e.choices for e in efforts), troubles(bout.record, len(chairs)),
    )  # fmt: skip


def troubles(record: MatchRecord, seats: int) -> tuple[str, ...]:
    """Why each left before the end; empty if nobody did."""
    left = {e.seat: e for e in record.entries[-2 * seats :] if isinstance(e, Happened) and e.event in LEAVING}
    if not left:
        return ()
    return tuple(f"{left[n].event}: {left[n].reason}".removesuffix(": ") if n in left else "" for n in range(seats))


def packed(record: MatchRecord) -> bytes:
    return zlib.compress(msgspec.json.encode(record), SWIFT)


def unpacked(data: bytes) -> MatchRecord:
    return decode(zlib.decompress(data))


@lru_cache(8)
def _plan(text: bytes) -> Plan:
    return msgspec.json.decode(text, type=Plan)


@lru_cache(256)
def _series(plan: bytes, pairing: int, players: tuple[int, ...], start: int) -> Series:
    return _plan(plan).series(pairing, players, start)


@cache
def place() -> str:
    return f"{socket.gethostname()}/{os.getpid()}"
