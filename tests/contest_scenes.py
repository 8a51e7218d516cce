"""Contests for tests: made, and their matches played or merely written."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec

from quincunx.store import Store
from quincunx.store.contests import Rivals, StoredContest, StoredResult
from quincunx.tournament.plan import Entrant, Plan
from quincunx.tournament.playing import Task, perform
from quincunx.tournament.progress import Progress
from quincunx.tournament.results import Result
from quincunx.tournament.schedule import schedule

RUNNER = "elsewhere/1/a"
LATE = ("", "forfeit: late: The program did not answer in time.")

LONG = Entrant("random", "program:/bots/a-program-with-quite-a-long-name.py")
BOTS = ("level:1", LONG, "greedy", "mcts:simulations=20")
OVER = Plan("connect_four", BOTS, name="Coupe d’automne", seed=3)  # one that somebody wins alone
RUNNING = Plan("khet", BOTS, name="A night of Khet", format="swiss", rounds=3)
NEW = Plan("cultist", tuple(f"p{n}" for n in range(30)), name="Many")


def in_store(database: str, work: Callable[[Store], Awaitable[None]]) -> None:
    """In a thread of its own: a test that has a browser has a loop already."""

    async def opened() -> None:
        async with Store.open(database) as store:
            await work(store)

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, opened()).result()


async def fill(store: Store) -> None:
    """One contest that is over, one that is being played, one that has not begun."""
    for plan in (OVER, RUNNING, NEW):
        await create(store, plan)
    await play(store, OVER)
    await play(store, RUNNING, (0, 0), (0, 1))
    await write(store, RUNNING.id, Result(1, 0, (LONG.name, BOTS[3]), (1, 2), troubles=LATE))


async def create(store: Store, plan: Plan) -> StoredContest:
    return await store.contests.create(plan.id, plan.called, plan.game, msgspec.json.encode(plan).decode())


async def write(store: Store, id: str, *results: Result, record: bytes | None = None, holding: Any = ()) -> None:
    rows = [StoredResult(r.pairing, r.game, msgspec.json.encode(r).decode(), record=record) for r in results]
    await store.contests.advance(id, RUNNER, rows, 0, holding, lambda news, held: [], Rivals())


async def play(store: Store, plan: Plan, *matches: tuple[int, int]) -> None:
    """These matches, or all that are known, really, and stores them with their records."""
    pairings = schedule(plan, plan.table_size(), Progress())
    for pairing, number in matches or [(each.number, n) for each in pairings for n in range(each.matches)]:
        done = perform(Task(msgspec.json.encode(plan), pairing, pairings[pairing].players, (number,))).matches[0]
        row = StoredResult(pairing, number, done.result.decode(), done.place, record=done.record)
        await store.contests.advance(plan.id, RUNNER, [row], 0, (), lambda news, held: [], Rivals())
