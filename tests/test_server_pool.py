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

from pool_tasks import deaf, die, endless, fail, refuse, wait_for, whoami
from quincunx.core.words import Refused
from quincunx.games import load
from quincunx.match import Match, encode
from quincunx.match.record import Happened
from quincunx.server import matches, records, tasks
from quincunx.server.budgets import CLIENT, Budget, Measured
from quincunx.server.limits import Allowance, Gate, Limits
from quincunx.server.live import LiveMatch
from quincunx.server.lobby import Lobby
from quincunx.server.match_shapes import NewMatch, Start, WantedSeat
from quincunx.server.matches import LiveMatches
from quincunx.server.process_pool import MOST_OF_CLIENT, ProcessPool, run_here
from quincunx.server.session import Session
from quincunx.store import Store

HERE = WantedSeat("here", "Ada")
GAMES = ("khet", "garden", "chartichaud", "casus_belli")


# -- processes and lines --------------------------------------------------------------------------------------------


def run(work: Callable[[ProcessPool], Coroutine[Any, Any, None]], limits: Limits | None = None) -> None:
    async def inside() -> None:
        async with ProcessPool(Gate(limits or Limits()), 2) as pool:
            await work(pool)

    asyncio.run(inside())


def for_client(client: str, work: Coroutine[Any, Any, bytes]) -> asyncio.Task[bytes]:
    CLIENT.set(client)
    return asyncio.create_task(work)


def test_tasks_are_done_in_other_processes_and_a_lost_one_is_replaced() -> None:
    async def work(pool: ProcessPool) -> None:
        assert int(await pool.run(whoami)) in pool.pids
        assert os.getpid() not in pool.pids
        with pytest.raises(Refused) as refused:
            await pool.run(refuse)
        assert refused.value.code == "no"
        for task in (endless, deaf):
            with pytest.raises(Refused) as given_up:
                await pool.run(task)
            assert given_up.value.code == "endless"
        with pytest.raises(RuntimeError, match="KeyError"):
            await pool.run(fail)
        with pytest.raises(Refused) as lost:
            await pool.run(die)
        assert lost.value.code == "lost"
        assert int(await pool.run(whoami)) in pool.pids

    run(work)


def test_one_client_has_one_task_at_a_time_and_a_line_with_an_end(tmp_path: Path) -> None:
    gate = str(tmp_path / "gate")

    async def work(pool: ProcessPool) -> None:
        first = for_client("a", pool.run(wait_for, gate))
        await asyncio.sleep(0)
        others = [for_client("a", pool.run(whoami)) for _ in range(MOST_OF_CLIENT)]
        await asyncio.sleep(0)
        assert pool.waiting == MOST_OF_CLIENT  # though a process is free
        with pytest.raises(Refused) as refused:
            await for_client("a", pool.run(whoami))
        assert refused.value.code == "busy"
        assert await for_client("b", pool.run(whoami))  # who comes from elsewhere does not wait for them
        assert not first.done()
        Path(gate).touch()
        assert await first == b"there"
        assert all(await asyncio.gather(*others))

    run(work)


def test_who_has_used_up_its_budget_is_refused_until_it_fills_up() -> None:
    limits = Limits(far=Allowance(pool=1e-9, pool_burst=1.0))

    async def work(pool: ProcessPool) -> None:
        scope = {"client": ("192.0.2.7", 1), "path": "/", "method": "GET"}
        pool._gate.wait(scope)  # the gate has seen it
        assert await for_client("192.0.2.7", pool.run(whoami))
        pool._gate.charge("192.0.2.7", 2.0)
        with pytest.raises(Refused) as refused:
            await for_client("192.0.2.7", pool.run(whoami))
        assert refused.value.code == "too_many_requests"
        assert await for_client("192.0.2.8", pool.run(whoami))

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

    async def run(self, work: Callable[..., bytes], *arguments: Any) -> bytes:
        self.done.append(work.__name__)
        return await run_here(work, *arguments)


class Screen:
    def __init__(self, lobby: LiveMatches, live: LiveMatch) -> None:
        self.told: list[dict[str, Any]] = []
        self.session = Session(lobby, live, self.send, Allowance(), self.write)

    async def send(self, text: str) -> None:
        raise AssertionError("it is always read at once")

    def write(self, *texts: bytes) -> bool:
        self.told += [msgspec.json.decode(text) for text in texts]
        return True

    @property
    def story(self) -> list[Any]:
        return [event for word in self.told if word["type"] == "update" for event in word["story"]]


def with_matches(path: Path, work: Callable[[Lobby, Elsewhere], Coroutine[Any, Any, None]]) -> None:
    async def inside() -> None:
        elsewhere = Elsewhere()
        async with Store.open(str(path / "matches.db")) as store:
            seen = LiveMatches(store, lambda id: load(id, "interpreted"), elsewhere.run)
            await work(Lobby(store, seen), elsewhere)

    asyncio.run(inside())


def test_long_matches_are_followed_and_told_elsewhere(tmp_path: Path) -> None:
    """Whoever comes late to a long match is told what those who were there all the time were told."""

    async def work(lobby: Lobby, elsewhere: Elsewhere) -> None:
        made = await lobby.make(NewMatch("garden", (HERE, HERE), seed=1))  # on some maps one side is gone too soon
        live = await lobby.matches.get(made.id)
        assert live is not None and elsewhere.done == []
        early = Screen(lobby.matches, live)
        await early.session.receive('{"type":"hello","last":0}')
        draw = random.Random(1)
        while live.match.length < 100:
            seat = live.to_act[0]
            action = draw.choice(live.match.game.legal(live.match.world, seat))
            await lobby.matches.ask(live, lambda referee, at, s=seat, a=action: referee.submit(s, a, at, lambda: 7))  # type: ignore[misc]
        late = Screen(lobby.matches, live)
        await late.session.receive('{"type":"hello","last":0}')
        assert elsewhere.done == []  # the feed has heard everything
        assert late.story == early.story and late.story
        again = LiveMatches(lobby.store, lobby.matches.game, elsewhere.run)
        other = await again.get(made.id)
        assert other is not None and elsewhere.done[-1] == "follow"
        assert other.match.entries == live.match.entries and other.seq == live.seq
        assert other.match.game.position(other.match.world) == live.match.game.position(live.match.world)
        latest = Screen(again, other)
        await latest.session.receive('{"type":"hello","last":0}')
        assert latest.story == early.story and elsewhere.done[-1] == "retell"

    with_matches(tmp_path, work)


def test_what_the_public_sees_is_worked_out_once_until_the_table_changes(tmp_path: Path) -> None:
    async def work(lobby: Lobby, elsewhere: Elsewhere) -> None:
        made = await lobby.make(NewMatch("connect_four", (HERE, HERE)))
        live = await lobby.matches.get(made.id)
        assert live is not None
        first = await asyncio.gather(*(lobby.matches.look(live) for _ in range(5)))
        assert len(set(first)) == 1 and elsewhere.done == ["look"]
        action = live.match.game.legal(live.match.world, 0)[0]
        await lobby.matches.ask(live, lambda referee, at: referee.submit(0, action, at, lambda: 7))
        assert await lobby.matches.look(live) != first[0]
        assert elsewhere.done == ["look", "look"]

    with_matches(tmp_path, work)


def test_what_a_client_thinks_of_is_drawn_elsewhere(tmp_path: Path) -> None:
    async def work(lobby: Lobby, elsewhere: Elsewhere) -> None:
        await lobby.make(NewMatch("casus_belli", (HERE, HERE), options={"seats": 2, "width": 60, "height": 60}))
        assert elsewhere.done == ["begin"]
        text = load("khet", "interpreted").setups[0].text
        made = await lobby.make(NewMatch("khet", (HERE, HERE), text=text))
        assert elsewhere.done == ["begin", "begin"]
        live = await lobby.matches.get(made.id)
        assert live is not None
        await lobby.matches.ask(live, lambda referee, at: referee.resign(0, at))
        stored = await lobby.find(made.id)
        assert (await lobby.rematch(stored, [held.token for held in made.seats])).id != made.id
        assert elsewhere.done == ["begin", "begin", "again"]

    with_matches(tmp_path, work)


def test_a_preview_is_bytes_of_the_public_view() -> None:
    shown = msgspec.json.decode(tasks.preview("khet", Start()))
    assert shown["seats"] == 2 and shown["board"]["cells"]


def test_others_have_their_turn_while_a_long_record_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "PORTION", 4)
    whole = played("garden", 41).record()
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async def work() -> None:
        waiting = asyncio.create_task(others())
        assert await records._in_portions(records.checked(encode(whole))) == whole
        waiting.cancel()

    asyncio.run(work())
    assert turns >= len(whole.entries) // 4


# -- limits of a record ---------------------------------------------------------------------------------------------


def test_a_record_of_too_many_entries_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    record = encode(played("connect_four", 6).record())
    assert records.checked(record)
    monkeypatch.setattr(records, "MOST_ENTRIES", 5)
    with pytest.raises(Refused, match="at most 5 entries"):
        records.checked(record)


def test_a_match_that_never_ends_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "MOST_ENTRIES", 4)

    async def work(lobby: Lobby, elsewhere: Elsewhere) -> None:
        made = await lobby.make(NewMatch("connect_four", (HERE, HERE)))
        live = await lobby.matches.get(made.id)
        assert live is not None
        for _ in range(3):
            await lobby.matches.ask(live, lambda referee, at: referee.offer_draw(0, at))
            await lobby.matches.ask(live, lambda referee, at: referee.decline_draw(1, at))
        assert live.match.outcome is not None and live.match.outcome.reason == "abort" and live.seq == 5
        stored = await lobby.store.match(made.id)
        assert stored is not None and stored.status == "over"

    with_matches(tmp_path, work)
