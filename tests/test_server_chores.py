"""Work that would hold up others is done in other processes: whose turn it is, what it costs, and what it answers."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec
import pytest

from errands import die, endless, fail, refuse, wait_for, whoami
from quincunx.core.words import Refused
from quincunx.games import load
from quincunx.match import Match, encode
from quincunx.match.record import Happened
from quincunx.server import records, starts, tables
from quincunx.server.budgets import CLIENT, Budget, Measured
from quincunx.server.chores import MOST_OF_CLIENT, Chores, at_once
from quincunx.server.limits import Allowance, Gate, Limits
from quincunx.server.lobby import Lobby
from quincunx.server.session import Session
from quincunx.server.shapes import NewMatch, Start, WantedSeat
from quincunx.server.tables import Tables
from quincunx.store import Store

HERE = WantedSeat("here", "Ada")
GAMES = ("khet", "garden", "chartichaud", "casus_belli")


# -- processes and lines --------------------------------------------------------------------------------------------


def run(work: Callable[[Chores], Coroutine[Any, Any, None]], limits: Limits | None = None) -> None:
    async def inside() -> None:
        async with Chores(Gate(limits or Limits()), 2) as chores:
            await work(chores)

    asyncio.run(inside())


def for_client(client: str, work: Coroutine[Any, Any, bytes]) -> asyncio.Task[bytes]:
    CLIENT.set(client)
    return asyncio.create_task(work)


def test_chores_are_done_in_other_processes_and_a_lost_one_is_replaced() -> None:
    async def work(chores: Chores) -> None:
        assert int(await chores.do(whoami)) in chores.pids
        assert os.getpid() not in chores.pids
        with pytest.raises(Refused) as refused:
            await chores.do(refuse)
        assert refused.value.code == "no"
        with pytest.raises(Refused) as given_up:
            await chores.do(endless)
        assert given_up.value.code == "endless"
        with pytest.raises(RuntimeError, match="KeyError"):
            await chores.do(fail)
        with pytest.raises(Refused) as lost:
            await chores.do(die)
        assert lost.value.code == "lost"
        assert int(await chores.do(whoami)) in chores.pids

    run(work)


def test_one_client_has_one_chore_at_a_time_and_a_line_with_an_end(tmp_path: Path) -> None:
    gate = str(tmp_path / "gate")

    async def work(chores: Chores) -> None:
        first = for_client("a", chores.do(wait_for, gate))
        await asyncio.sleep(0)
        others = [for_client("a", chores.do(whoami)) for _ in range(MOST_OF_CLIENT)]
        await asyncio.sleep(0)
        assert chores.waiting == MOST_OF_CLIENT  # though a process is free
        with pytest.raises(Refused) as refused:
            await for_client("a", chores.do(whoami))
        assert refused.value.code == "busy"
        assert await for_client("b", chores.do(whoami))  # who comes from elsewhere does not wait for them
        assert not first.done()
        Path(gate).touch()
        assert await first == b"there"
        assert all(await asyncio.gather(*others))

    run(work)


def test_who_has_used_up_its_budget_is_refused_until_it_fills_up() -> None:
    limits = Limits(far=Allowance(chores=1e-9, chores_burst=1.0))

    async def work(chores: Chores) -> None:
        scope = {"client": ("192.0.2.7", 1), "path": "/", "method": "GET"}
        chores._gate.wait(scope)  # the gate has seen it
        assert await for_client("192.0.2.7", chores.do(whoami))
        chores._gate.charge("192.0.2.7", 2.0)
        with pytest.raises(Refused) as refused:
            await for_client("192.0.2.7", chores.do(whoami))
        assert refused.value.code == "too_many_requests"
        assert await for_client("192.0.2.8", chores.do(whoami))

    run(work, limits)


def test_time_on_the_loop_is_measured_without_what_others_do_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, told = [0.0], list[float]()
    monkeypatch.setattr(time, "thread_time", lambda: clock[0])

    async def work(other: asyncio.Event) -> None:
        clock[0] += 1
        await other.wait()
        clock[0] += 2
        try:
            await asyncio.Event().wait()
        finally:
            clock[0] += 4

    async def inside() -> None:
        other = asyncio.Event()
        task = asyncio.create_task(_await(Measured(work(other), told.append)))
        await asyncio.sleep(0)
        clock[0] += 100
        other.set()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        clock[0] += 100
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(inside())
    assert told == [1, 2, 4]


async def _await(measured: Measured) -> None:
    await measured


def test_a_budget_is_overdrawn_once_and_then_waited_for() -> None:
    async def inside() -> None:
        budget = Budget(1e-9, 1.0)
        assert await budget.admit()
        budget.charge(5.0)
        assert budget.wait() > 1e8
        assert not await budget.admit()
        quick = Budget(1e9, 1.0)
        quick.charge(100.0)
        assert await quick.admit()

    asyncio.run(inside())


# -- what they work out ---------------------------------------------------------------------------------------------


def played(game: str, actions: int) -> Match:
    match, draw = Match(load(game, "interpreted"), seed=3, dice=3), random.Random(5)
    while match.length < actions and not match.over:
        seat = next(seat for seat in range(len(match.seats)) if match.game.to_act(match.world, seat))
        match.act(seat, draw.choice(match.game.legal(match.world, seat)))
    return match


@pytest.mark.parametrize("game", GAMES)
def test_a_match_knows_where_it_stood_and_goes_back_there(game: str) -> None:
    match = played(game, 150)
    position = match.game.position
    world, stood = match.beginning(), []
    for seat, action in match.standing:
        stood.append(position(world))
        match.game.apply(world, seat, action)
    for number in (0, 1, 63, 64, 65, 130, match.length - 1):
        if number < match.length:
            assert position(match.world_at(number)) == stood[number]
    for kept in (match.length - 1, match.length - 3, 70, 64, 40, 0):
        if kept < match.length:
            match.take(Happened("take_back", 0, kept=kept))
            assert match.length == kept and position(match.world) == stood[kept]


class Elsewhere:
    """Does it here, and notes what would be done elsewhere."""

    def __init__(self) -> None:
        self.done: list[str] = []

    async def do(self, work: Callable[..., bytes], *arguments: Any) -> bytes:
        self.done.append(work.__name__)
        return await at_once(work, *arguments)


class Screen:
    def __init__(self, lobby: Tables, table: tables.Table) -> None:
        self.told: list[dict[str, Any]] = []
        self.session = Session(lobby, table, self.send, Allowance(), self.write)

    async def send(self, text: str) -> None:
        raise AssertionError("it is always read at once")

    def write(self, *texts: bytes) -> bool:
        self.told += [msgspec.json.decode(text) for text in texts]
        return True

    @property
    def story(self) -> list[Any]:
        return [event for word in self.told if word["type"] == "update" for event in word["story"]]


def with_tables(path: Path, work: Callable[[Lobby, Elsewhere], Coroutine[Any, Any, None]]) -> None:
    async def inside() -> None:
        elsewhere = Elsewhere()
        async with Store.open(str(path / "matches.db")) as store:
            seen = Tables(store, lambda id: load(id, "interpreted"), elsewhere.do)
            await work(Lobby(store, seen), elsewhere)

    asyncio.run(inside())


def test_long_matches_are_followed_and_told_elsewhere(tmp_path: Path) -> None:
    """Whoever comes late to a long match is told what those who were there all the time were told."""

    async def work(lobby: Lobby, elsewhere: Elsewhere) -> None:
        made = await lobby.make(NewMatch("garden", (HERE, HERE)))
        table = await lobby.tables.get(made.id)
        assert table is not None and elsewhere.done == []
        early = Screen(lobby.tables, table)
        await early.session.hear('{"type":"hello","last":0}')
        draw = random.Random(1)
        while table.match.length < 100:
            seat = table.to_act[0]
            action = draw.choice(table.match.game.legal(table.match.world, seat))
            await lobby.tables.ask(table, lambda referee, at, s=seat, a=action: referee.submit(s, a, at, lambda: 7))  # type: ignore[misc]
        late = Screen(lobby.tables, table)
        await late.session.hear('{"type":"hello","last":0}')
        assert elsewhere.done == []  # the eye has heard everything
        assert late.story == early.story and late.story
        again = Tables(lobby.store, lobby.tables.game, elsewhere.do)
        other = await again.get(made.id)
        assert other is not None and elsewhere.done[-1] == "follow"
        assert other.match.entries == table.match.entries and other.seq == table.seq
        assert other.match.game.position(other.match.world) == table.match.game.position(table.match.world)
        latest = Screen(again, other)
        await latest.session.hear('{"type":"hello","last":0}')
        assert latest.story == early.story and elsewhere.done[-1] == "retell"

    with_tables(tmp_path, work)


def test_what_the_public_sees_is_worked_out_once_until_the_table_changes(tmp_path: Path) -> None:
    async def work(lobby: Lobby, elsewhere: Elsewhere) -> None:
        made = await lobby.make(NewMatch("connect_four", (HERE, HERE)))
        table = await lobby.tables.get(made.id)
        assert table is not None
        first = await asyncio.gather(*(lobby.tables.look(table) for _ in range(5)))
        assert len(set(first)) == 1 and elsewhere.done == ["look"]
        action = table.match.game.legal(table.match.world, 0)[0]
        await lobby.tables.ask(table, lambda referee, at: referee.submit(0, action, at, lambda: 7))
        assert await lobby.tables.look(table) != first[0]
        assert elsewhere.done == ["look", "look"]

    with_tables(tmp_path, work)


def test_what_a_client_thinks_of_is_drawn_elsewhere(tmp_path: Path) -> None:
    async def work(lobby: Lobby, elsewhere: Elsewhere) -> None:
        await lobby.make(NewMatch("casus_belli", (HERE, HERE), options={"seats": 2, "width": 60, "height": 60}))
        assert elsewhere.done == ["begin"]
        text = load("khet", "interpreted").setups[0].text
        made = await lobby.make(NewMatch("khet", (HERE, HERE), text=text))
        assert elsewhere.done == ["begin", "begin"]
        table = await lobby.tables.get(made.id)
        assert table is not None
        await lobby.tables.ask(table, lambda referee, at: referee.resign(0, at))
        stored = await lobby.find(made.id)
        assert (await lobby.rematch(stored, [held.token for held in made.seats])).id != made.id
        assert elsewhere.done == ["begin", "begin", "again"]

    with_tables(tmp_path, work)


def test_a_preview_is_bytes_of_the_public_view() -> None:
    shown = msgspec.json.decode(starts.preview("khet", Start()))
    assert shown["seats"] == 2 and shown["board"]["cells"]


# -- limits of a record ---------------------------------------------------------------------------------------------


def test_a_record_of_too_many_entries_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    record = encode(played("connect_four", 6).record())
    assert records.checked(record)
    monkeypatch.setattr(records, "MOST_ENTRIES", 5)
    with pytest.raises(Refused, match="at most 5 entries"):
        records.checked(record)


def test_a_match_that_never_ends_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_ENTRIES", 4)

    async def work(lobby: Lobby, elsewhere: Elsewhere) -> None:
        made = await lobby.make(NewMatch("connect_four", (HERE, HERE)))
        table = await lobby.tables.get(made.id)
        assert table is not None
        for _ in range(3):
            await lobby.tables.ask(table, lambda referee, at: referee.offer_draw(0, at))
            await lobby.tables.ask(table, lambda referee, at: referee.decline_draw(1, at))
        assert table.match.outcome is not None and table.match.outcome.reason == "abort" and table.seq == 5
        stored = await lobby.store.match(made.id)
        assert stored is not None and stored.status == "over"

    with_tables(tmp_path, work)
