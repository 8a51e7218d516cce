"""A client that says more than one can mean holds up nobody: its words take turns with those of others, and cost it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import pytest

from quincunx.core.words import Refused, Words
from quincunx.players.worker import Job
from quincunx.players.workers import Thought, Workers
from quincunx.server.advice import hint
from quincunx.server.analysing import Analyses
from quincunx.server.budgets import CLIENT, TYPICAL, Budget
from quincunx.server.limits import Allowance
from quincunx.server.live import LiveMatch
from quincunx.server.lobby import Lobby
from quincunx.server.match_shapes import NewMatch, WantedSeat
from quincunx.server.matches import LiveMatches
from quincunx.server.session import A_WORD, CALM, Session
from quincunx.server.sockets import FEW, _listen
from quincunx.store import Store

SEATS = (WantedSeat("here", "Ada"), WantedSeat("here", "Bob"))


def test_words_that_came_at_once_let_others_have_their_turn() -> None:
    heard = 0

    class Packet:
        left = 1000

        async def receive(self) -> dict[str, str]:
            self.left -= 1
            return {"type": "websocket.receive", "text": "x"} if self.left else {"type": "websocket.disconnect"}

    async def hear(text: str) -> None:
        nonlocal heard
        heard += 1

    async def others() -> int:
        longest, before = 0, 0
        while heard < 999:
            longest, before = max(longest, heard - before), heard
            await asyncio.sleep(0)
        return longest

    async def both() -> int:
        waiting = asyncio.create_task(others())
        await asyncio.sleep(0)
        await _listen(cast(Any, Packet()), hear, 10)
        return await waiting

    assert 0 < asyncio.run(both()) <= FEW


async def seated(folder: Path, talk: Callable[[Session, list[str]], Awaitable[None]]) -> float:
    """What the loop's budget was charged for it."""
    async with Store.open(str(folder / "m.db")) as store:
        matches = LiveMatches(store)
        made = await Lobby(store, matches).make(NewMatch("khet", SEATS))
        live = await matches.get(made.id)
        assert live is not None
        said: list[str] = []

        async def send(text: str) -> None:
            said.append(text)

        def write(*texts: bytes) -> bool:
            said.extend(text.decode() for text in texts)
            return True

        budget = Budget(rate=1e-9, burst=10.0)
        session = Session(matches, live, send, Allowance(words=1e6, words_burst=10**6), write, budget)
        session.seats = frozenset((0, 1))
        live.connect(session)
        await talk(session, said)
        session.close()
        return 10.0 - budget._left


def test_trying_out_is_paid_for(tmp_path: Path) -> None:
    async def talk(session: Session, said: list[str]) -> None:
        for _ in range(5):
            await session.receive('{"type":"try","id":"t","seat":0,"action":"H2-G1"}')
        assert len(said) == 5 and all(word.startswith('{"type":"tried"') for word in said), said[0]

    assert asyncio.run(seated(tmp_path, talk)) > 5 * TYPICAL


@pytest.mark.parametrize(
    "word, cost", [('{"type":"ping"}', A_WORD), ('{"type":"play","id":"p","seat":0,"action":"nonsense"}', TYPICAL)]
)
def test_a_flood_is_paid_for_and_what_a_player_says_is_not(tmp_path: Path, word: str, cost: float) -> None:
    async def talk(session: Session, said: list[str]) -> None:
        for _ in range(CALM[1]):
            await session.receive(word)
        calm.append(10.0 - session._budget._left)
        for _ in range(1000):
            await session.receive(word)
        assert len(said) == 1000 + CALM[1]

    calm: list[float] = []
    whole = asyncio.run(seated(tmp_path, talk))
    assert calm[0] == pytest.approx(0.0 if cost == A_WORD else CALM[1] * cost)
    assert whole - calm[0] > 0.5 * 1000 * cost


class NeverReady:
    """Workers that take everything, and are never done."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []

    def think(self, job: Job) -> Thought:
        self.jobs.append(job)
        return Thought(len(self.jobs), job, lambda thought: thought.fail(Refused("lost", Words("fini", "done"))))


def test_hints_and_analyses_stand_in_the_line_of_whoever_wants_them(tmp_path: Path) -> None:
    async def ask(client: str, live: LiveMatch, workers: Workers, token: str) -> None:
        CLIENT.set(client)
        await hint(live, workers, [token], 0)

    async def work() -> None:
        async with Store.open(str(tmp_path / "m.db")) as store:
            matches, never = LiveMatches(store), NeverReady()
            workers = cast(Workers, never)
            alone = (SEATS[0], WantedSeat("computer", player="level:1"))
            made = [await Lobby(store, matches).make(NewMatch("khet", alone)) for _ in range(3)]
            live = [cast(LiveMatch, await matches.get(each.id)) for each in made]
            tokens = [each.seats[0].token for each in made]
            first, other = (
                asyncio.create_task(ask(who, live[n], workers, tokens[n])) for who, n in (("a", 0), ("b", 1))
            )
            await asyncio.sleep(0)
            with pytest.raises(Refused) as refused:  # another match, the same client
                await asyncio.create_task(ask("a", live[2], workers, tokens[2]))
            assert refused.value.code == "busy"
            assert [job.client for job in never.jobs] == ["a", "b"]
            for task in (first, other):
                task.cancel()
            await asyncio.gather(first, other, return_exceptions=True)
            computers = await Lobby(store, matches).make(NewMatch("khet", (alone[1], alone[1])))
            running = await matches.get(computers.id)
            assert running is not None
            await running_analysis(store, workers, running, never)

    async def running_analysis(store: Store, workers: Workers, live: LiveMatch, never: NeverReady) -> None:
        action = next(
            live.match.game.text(live.match.world, 0, each) for each in live.match.game.legal(live.match.world)
        )
        live.match.act(0, live.match.game.parse(live.match.world, 0, action))
        await store.append(live.id, 0, live.match.entries)
        analyses = Analyses(store, workers)
        await analyses.tell(live.stored, "c", 0)
        while len(never.jobs) < 3:
            await asyncio.sleep(0.01)
        assert never.jobs[-1].client == "c"
        await analyses.close()

    asyncio.run(work())
