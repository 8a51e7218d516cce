"""Computers at play: they rest when nobody waits, and do not give up when the database does not answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from quincunx.players.worker import Job
from quincunx.players.workers import Thought, Workers
from quincunx.server import computers
from quincunx.server.attendance import Attendance
from quincunx.server.clocks import Clocks
from quincunx.server.computers import AT_ONCE, Computers
from quincunx.server.limits import Limits
from quincunx.server.live import LiveMatch
from quincunx.server.lobby import Lobby
from quincunx.server.match_shapes import NewMatch, WantedSeat
from quincunx.server.matches import LiveMatches
from quincunx.server.programs import Programs
from quincunx.server.session import Session
from quincunx.store import Store, Unavailable
from quincunx.store.leases import Leases

pytestmark = pytest.mark.slow  # left out of `make check`

SLOW = WantedSeat("computer", "", "mcts:time=60")
QUICK = WantedSeat("computer", "", "random")
OPTIONS: dict[str, dict[str, Any]] = {"chartichaud": {"width": 6, "height": 5, "turns": 6}, "garden": {"begins": "a"}}


@asynccontextmanager
async def scene(folder: Path, patience: float, *seats: WantedSeat) -> AsyncIterator[tuple[Attendance, LiveMatch]]:
    async with Store.open(str(folder / "m.db")) as store, Workers(1) as workers:
        matches = LiveMatches(store)
        attendance = Attendance(Clocks(matches), Computers(matches, workers, Programs()), patience)
        made = await Lobby(store, matches).make(NewMatch("connect_four", seats))
        live = await matches.get(made.id)
        assert live is not None
        yield attendance, live
        await attendance.close()


def test_nobody_waits_so_the_thought_ends_and_somebody_comes_so_it_begins_again(tmp_path: Path) -> None:
    async def story() -> None:
        async with scene(tmp_path, 0.2, SLOW, SLOW) as (attendance, live):
            computers = attendance.computers
            attendance.attend(live)
            assert live.listeners
            while computers.thinking == 0:
                await asyncio.sleep(0)
            while live.listeners or computers.thinking:  # until it rests
                await asyncio.sleep(0.01)
            assert live.idle and live.match.length == 0
            assert await computers.matches.store.leases.take(live.id, 0, 0, "another")  # it was given back
            await computers.matches.store.leases.release(live.id, 0, "another")
            session = Session(computers.matches, live, _nowhere, Limits().near)
            session.on_hello = lambda: attendance.attend(live)
            await session.receive('{"type":"hello"}')
            while computers.thinking == 0:
                await asyncio.sleep(0)
            await asyncio.sleep(0.4)  # longer than its patience: somebody is there
            assert computers.thinking == 1
            session.close()
            attendance.leave(live)
            while live.listeners or computers.thinking:
                await asyncio.sleep(0.01)

    asyncio.run(story())


def test_a_finished_match_leaves_nothing_behind(tmp_path: Path) -> None:
    async def story() -> None:
        async with scene(tmp_path, 60, QUICK, QUICK) as (attendance, live):
            attendance.attend(live)
            while not live.match.over:
                await asyncio.sleep(0.01)
            while attendance.computers.busy:
                await asyncio.sleep(0.01)
            assert live.idle

    asyncio.run(story())


def test_a_database_that_does_not_answer_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failures: dict[tuple[type, str], int] = {(Store, "append"): 3, (Leases, "take"): 2, (Leases, "release"): 2}
    for of in failures:
        honest = getattr(*of)

        async def sometimes(*given: Any, of: tuple[type, str] = of, honest: Any = honest, **named: Any) -> Any:
            if failures[of]:
                failures[of] -= 1
                raise Unavailable("The database does not answer.")
            return await honest(*given, **named)

        monkeypatch.setattr(*of, sometimes)

    async def story() -> None:
        async with scene(tmp_path, 60, QUICK, QUICK) as (attendance, live):
            attendance.attend(live)
            while not live.match.over:
                await asyncio.sleep(0.01)
            assert not any(failures.values())

    asyncio.run(story())


def test_a_beginner_answers_while_many_long_thoughts_are_wanted(tmp_path: Path) -> None:
    """Matches of one client: the cap holds its long thoughts back, and what a newcomer waits for is another line."""

    async def story() -> None:
        async with Store.open(str(tmp_path / "m.db")) as store, Workers(2, shared=True) as workers:
            matches = LiveMatches(store)
            computers = Computers(matches, workers, Programs())
            attendance = Attendance(Clocks(matches), computers)

            async def sit(client: str, *seats: WantedSeat) -> LiveMatch:
                made = await Lobby(store, matches).make(NewMatch("connect_four", seats))
                live = await matches.get(made.id)
                assert live is not None
                attendance.attend(live)  # as it is made, before anybody came
                session = Session(matches, live, _nowhere, Limits().near)
                session.address, session.on_hello = client, lambda: attendance.attend(live)
                await session.receive('{"type":"hello"}')
                return live

            for _ in range(30):
                await sit("crowd", SLOW, SLOW)
            while computers.thinking < AT_ONCE:
                await asyncio.sleep(0.01)
            beginner = await sit("ada", WantedSeat("computer", "", "level:1"), SLOW)
            while beginner.match.length == 0:
                await asyncio.sleep(0.01)
            while computers.thinking < AT_ONCE + 1:  # and ada's long one stands in ada's line
                await asyncio.sleep(0.01)
            assert computers.thinking == AT_ONCE + 1
            await attendance.close()

    async def bounded() -> None:
        async with asyncio.timeout(50):  # one thought of the crowd takes longer
            await story()

    asyncio.run(bounded())


def test_who_looks_is_told_that_a_computer_waits_its_turn_and_when_it_begins(tmp_path: Path) -> None:
    async def story() -> None:
        async with Store.open(str(tmp_path / "m.db")) as store, Workers(1, shared=True) as workers:
            matches = LiveMatches(store)
            attendance = Attendance(Clocks(matches), Computers(matches, workers, Programs()))

            async def sit(live: LiveMatch) -> list[Any]:
                heard: list[Any] = []

                def write(*texts: bytes) -> bool:
                    heard.extend(word for text in texts if (word := json.loads(text))["type"] == "waiting")
                    return True

                session = Session(matches, live, _nowhere, Limits().near, write)
                session.address, session.on_hello = "ada", lambda: attendance.attend(live)
                await session.receive('{"type":"hello"}')
                return heard

            async def new() -> LiveMatch:
                made = await Lobby(store, matches).make(NewMatch("connect_four", (SLOW, SLOW)))
                live = await matches.get(made.id)
                assert live is not None
                return live

            crowd = [await new() for _ in range(AT_ONCE)]
            first = [await sit(live) for live in crowd]
            last = await new()
            heard, waits = await sit(last), {"type": "waiting", "seat": 0, "waits": True}
            while not heard:  # a place among its client's thoughts is not free
                await asyncio.sleep(0.01)
            assert heard == [waits] and await sit(last) == [waits]  # who comes later is told, too
            while [waits] not in first:  # a place is free, but no worker
                await asyncio.sleep(0.01)
            assert [] in first
            for live in crowd:
                attendance.computers.release(live)
            while heard[-1]["waits"]:
                await asyncio.sleep(0.01)
            await attendance.close()

    async def bounded() -> None:
        async with asyncio.timeout(50):
            await story()

    asyncio.run(bounded())


class Crowded:
    """Workers that are never free at once, and a player who ends its turn after two other actions."""

    def __init__(self) -> None:
        self.live: LiveMatch | None = None
        self.acted = 0

    def expects(self, game: str, player: str) -> float:
        return 0.0

    def think(self, job: Job) -> Thought:
        assert self.live is not None
        game, world = self.live.match.game, self.live.match.world
        thought, loop = Thought(1, job, lambda thought: None), asyncio.get_running_loop()
        self.acted += 1
        if self.acted > 3:  # Garden's turn goes on after that
            thought.began = 1.0
            return thought
        end = game.parse(world, 0, "end")
        action = next(action for action in game.legal(world) if action != end) if self.acted < 3 else end
        loop.call_later(0.5, setattr, thought, "began", 1.0)
        loop.call_later(0.8, thought.answer, action, b"")
        return thought


@pytest.mark.parametrize(("game", "words"), [("chartichaud", 1), ("garden", 3)])
def test_how_often_a_computer_waits_does_not_tell_how_often_it_acts_in_the_fog(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, words: int
) -> None:
    async def story() -> list[Any]:
        heard: list[Any] = []

        def write(*texts: bytes) -> bool:
            heard.extend(word["waits"] for text in texts if (word := json.loads(text))["type"] == "waiting")
            return True

        async with Store.open(str(tmp_path / "m.db")) as store:
            matches, workers = LiveMatches(store), Crowded()
            attendance = Attendance(Clocks(matches), Computers(matches, workers, Programs()))  # type: ignore[arg-type]
            seats = WantedSeat("computer", "", "random"), WantedSeat("here", "Ada", "")
            made = await Lobby(store, matches).make(NewMatch(game, seats, options=OPTIONS[game]))
            workers.live = live = await matches.get(made.id)
            assert live is not None
            session = Session(matches, live, _nowhere, Limits().near, write)
            session.address, session.on_hello = "ada", lambda: attendance.attend(live)
            await session.receive('{"type":"hello"}')
            while 0 in live.to_act and workers.acted < 4:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.1)
            await attendance.close()
        return heard

    monkeypatch.setattr(computers, "EVERY", 0.01)
    monkeypatch.setattr(computers, "PATIENCE", 0.05)
    assert asyncio.run(asyncio.wait_for(story(), 50)) == [True, False] * words


async def _nowhere(text: str) -> None:
    return
