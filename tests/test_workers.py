"""Players in worker processes: they choose as they would here, tell how it goes, stop when told, and are replaced."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Coroutine
from dataclasses import replace
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from cases import long_journey, travel
from quincunx.cli import serve as serving
from quincunx.core import cache, layout
from quincunx.core.words import Refused
from quincunx.games import Game, Observation, World, cards, load
from quincunx.players import Info, make
from quincunx.players.warming import is_warm, warm
from quincunx.players.worker import Desk, Job
from quincunx.players.workers import Thought, ThoughtLost, Workers

pytestmark = pytest.mark.slow  # left out of `make check`

IDS = [card.id for card in cards()]
SPECS = ["random", "greedy", "minimax:depth=1", "alphabeta:nodes=300", "mcts:simulations=20"]
ENDLESS = "alphabeta:time=3600"  # only somebody else can end it
PATIENCE = 60.0  # seconds until a test gives up on what should come at once


def run(test: Coroutine[Any, Any, None]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(PATIENCE):
            await test

    asyncio.run(bounded())


def positions(game: Game, count: int) -> list[World]:
    """Positions of one random game, where somebody is to act."""
    world, found = game.new(seed=2), []
    for n, _ in enumerate(travel(world, long_journey(2, 60), 2)):
        if n % 5 == 2 and game.turn(world) >= 0:
            found.append(game.clone(world))
    return found[:count]


def look(world: World) -> Observation:
    return world.game.view(world, world.game.turn(world))


def test_an_observation_travels_as_bytes() -> None:
    for id in IDS:
        for gear in ("interpreted", "compiled"):
            game = load(id, gear)
            observation = look(positions(game, 1)[0])
            data = game.observation_to_bytes(observation)
            there = load(id, "interpreted").observation_from_bytes(observation.options, observation.seat, data)
            assert there.game.observation_to_bytes(there) == data
            assert there.game.show(there) == game.show(observation)


def test_a_job_holds_the_view_and_not_the_state() -> None:
    for id in IDS:
        game = load(id, "interpreted")
        job = Job.of(look(game.new(seed=1)), "random")
        assert len(job.observation) == sum(layout.size(kind) for kind in (game.rules.Terms, game.rules.View))


@pytest.mark.parametrize("spec", ["alphabeta:nodes=500", "mcts:simulations=40"])
@pytest.mark.parametrize("id", IDS)
def test_a_player_tells_nothing_that_its_view_does_not(id: str, spec: str) -> None:
    """Two worlds that look alike to the seat: the job, the choice and every info are the same."""
    game = load(id)
    for world in positions(game, 3):
        seat = game.turn(world)
        dream = game.imagine(game.view(world, seat), game.random(8))
        assert Job.of(game.view(world, seat), spec) == Job.of(game.view(dream, seat), spec)
        told: list[list[Info]] = []
        for each in (world, dream):
            player = make(spec, game, seed=1)
            told.append([])
            player.report = told[-1].append
            player.choose(game.view(each, seat))
        timeless = [[replace(info, seconds=0) for info in infos] for infos in told]
        assert timeless[0] == timeless[1] and timeless[0]


def test_a_worker_chooses_what_would_be_chosen_here() -> None:
    async def test() -> None:
        async with Workers(2) as workers:
            for id in IDS:
                game = load(id)
                for spec in [*SPECS, *game.opponents]:
                    worlds = positions(game, 3)
                    thoughts = [workers.think(Job.of(look(w), spec, seed=n)) for n, w in enumerate(worlds)]
                    here = [make(spec, game, seed=n).choose(look(w)) for n, w in enumerate(worlds)]
                    assert [await t.result() for t in thoughts] == here, (id, spec)

    run(test())


def test_a_kept_player_plays_like_a_new_one() -> None:
    game = load("khet")
    for spec in ("alphabeta:nodes=500", "mcts:simulations=30", "greedy", "random"):
        kept = make(spec, game, seed=99)
        for seed, world in enumerate(positions(game, 4)):
            kept.begin(seed)
            assert kept.choose(look(world)) == make(spec, game, seed).choose(look(world))


def test_to_listen_changes_nothing() -> None:
    for id in IDS:
        game = load(id)
        for spec in ("alphabeta:nodes=2000", "mcts:simulations=100"):
            told: list[Info] = []
            quiet, heard = make(spec, game, seed=4), make(spec, game, seed=4)
            heard.report = told.append
            for world in positions(game, 2):
                action = quiet.choose(look(world))
                assert heard.choose(look(world)) == action
                assert (heard.info.nodes, heard.info.value) == (quiet.info.nodes, quiet.info.value)
                assert told[-1] == heard.info


@pytest.mark.parametrize("spec", ["minimax:depth=2", "alphabeta:nodes=3000", "mcts:simulations=300"])
@pytest.mark.parametrize("id", IDS)
def test_a_line_begins_with_the_choice_and_can_be_played(id: str, spec: str) -> None:
    """In a game without secrets; dice fall as they like, so a line is followed to the first of them."""
    game = load(id)
    for world in positions(game, 3):
        told: list[Info] = []
        player = make(spec, game, seed=4)
        player.report = told.append
        action = player.choose(look(world))
        line = told[-1].line
        assert line[0] == game.text(world, game.turn(world), action)
        if game.card.fog:
            continue
        for text in line:
            seat = game.turn(world)
            if seat < 0:
                break
            action = game.parse(world, seat, text)
            assert game.check(world, seat, action) is None
            game.apply(world, seat, action)


def test_infos_come_in_order_while_it_thinks() -> None:
    async def test() -> None:
        game = load("connect_four")
        world = game.new()
        async with Workers(1) as workers:
            deep = workers.think(Job.of(look(world), "alphabeta:depth=6"))
            infos = [info async for info in deep.infos()]
            assert [info.depth for info in infos] == [1, 2, 3, 4, 5, 6]
            assert all(a.nodes < b.nodes and a.seconds <= b.seconds for a, b in pairwise(infos))
            assert all(1 <= len(info.line) <= info.depth and info.speed > 0 for info in infos)
            action = game.text(world, 0, await deep.result())
            assert infos[-1].line[0] == action and not infos[-1].capped
            many = workers.think(Job.of(look(world), "mcts:time=3600"))
            heard: list[int] = []
            async for info in many.infos():
                assert info.value is not None and 0 <= info.value <= 1
                heard.append(info.nodes)
                if len(heard) == 2:
                    many.cancel()
            assert len(heard) >= 3 and heard == sorted(heard) and heard[0] < heard[1]
            assert await many.result() in game.legal(world)

    run(test())


def test_a_cancelled_thought_gives_a_legal_action() -> None:
    async def test() -> None:
        async with Workers(1) as workers:
            for id in IDS:
                game = load(id)
                world = positions(game, 1)[0]
                for spec in (ENDLESS, "mcts:time=3600", "minimax:time=3600"):
                    running, waiting = (workers.think(Job.of(look(world), spec)) for _ in range(2))
                    waiting.cancel()  # before it begins
                    if spec != ENDLESS:
                        running.cancel()  # before or while its player is made
                    async for _ in running.infos():
                        running.cancel()  # while it thinks
                    for thought in (running, waiting):
                        assert game.check(world, game.turn(world), await thought.result()) is None

    run(test())


def test_a_cancel_from_another_thread_ends_a_thought_here() -> None:
    game = load("khet")
    player = make(ENDLESS, game)
    world = game.new()
    player.report = lambda info: Thread(target=player.cancel).start() if info.depth == 2 else None
    assert player.choose(look(world)) in game.legal(world)
    assert player.info.depth >= 2


def slay(pid: int) -> None:
    os.kill(pid, signal.SIGTERM if os.name == "nt" else signal.SIGKILL)


def test_a_worker_that_dies_is_replaced_and_its_job_done_again() -> None:
    async def test() -> None:
        game = load("khet")
        world = game.new()
        async with Workers(1) as workers:
            thought = workers.think(Job.of(look(world), ENDLESS))
            thinkers: list[int] = []
            async for info in thought.infos():
                if info.depth == 1 and not thought.cancelled:  # the first info of a worker
                    thinkers += workers.pids
                    if len(thinkers) == 1:
                        slay(thinkers[0])
                    else:
                        thought.cancel()
            assert len(set(thinkers)) == 2 and workers.pids == thinkers[1:]
            assert await thought.result() in game.legal(world)
            small = Job.of(look(world), "alphabeta:depth=1", seed=1)
            assert await workers.think(small).result() == make("alphabeta:depth=1", game, 1).choose(look(world))

    run(test())


def test_a_job_that_kills_twice_fails_with_a_sentence() -> None:
    async def test() -> None:
        game = load("khet")
        observation = look(game.new())
        async with Workers(1) as workers:
            thought = workers.think(Job.of(observation, ENDLESS))
            async for info in thought.infos():
                if info.depth == 1:
                    slay(workers.pids[0])
            with pytest.raises(ThoughtLost, match="died 2 times") as lost:
                await thought.result()
            assert lost.value.code == "lost"
            assert await workers.think(Job.of(observation, "alphabeta:depth=1")).result() >= 0

    run(test())


@pytest.mark.skipif(not shutil.which("false"), reason="needs a program that fails")
def test_workers_that_do_not_start_are_given_up() -> None:
    context = get_context("spawn")

    async def test() -> None:
        observation = look(load("khet").new())
        async with Workers(1) as workers:
            thought = workers.think(Job.of(observation, ENDLESS))
            async for _ in thought.infos():
                context.set_executable(str(shutil.which("false")))
                if workers.pids:
                    slay(workers.pids[0])
            with pytest.raises(ThoughtLost, match="do not start"):
                await thought.result()
            with pytest.raises(ThoughtLost, match="do not start"):
                workers.think(Job.of(observation, "random"))

    try:
        run(test())
    finally:
        context.set_executable(sys.executable)


def test_many_jobs_at_once_take_turns_by_owner() -> None:
    async def test() -> None:
        game = load("connect_four")
        observation = look(game.new())
        finished: list[str] = []

        async def follow(thought: Thought) -> None:
            assert await thought.result() in range(7)
            finished.append(thought.job.owner)

        async with Workers(1) as workers:
            crowd = [workers.think(Job.of(observation, "alphabeta:depth=2", n, owner="crowd")) for n in range(60)]
            others = [workers.think(Job.of(observation, "random", n, owner=f"other {n}")) for n in range(5)]
            assert workers.waiting == 65
            await asyncio.gather(*map(follow, [*crowd, *others]))
            assert workers.waiting == 0
        assert finished[:7].count("crowd") <= 2 and finished.count("crowd") == 60

    run(test())


def test_a_short_thought_does_not_wait_for_fifty_long_ones() -> None:
    async def test() -> None:
        observation = look(load("connect_four").new())
        async with Workers(2, shared=True) as workers:
            crowd = [
                workers.think(Job.of(observation, "alphabeta:time=60", n, owner=f"match {n}", client="crowd"))
                for n in range(50)
            ]
            async for _ in crowd[0].infos():
                break  # it thinks
            for client in ("ada", "crowd"):  # also of the same address
                job = Job.of(observation, "level:1", owner="short", client=client)
                assert await workers.think(job).result() in range(7)
            assert workers.waiting >= 40

    run(test())


def test_a_long_thought_ends_after_its_slice_while_others_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quincunx.players.workers.SLICE", 0.2)

    async def test() -> None:
        observation = look(load("connect_four").new())
        async with Workers(1, shared=True) as workers:
            thoughts = [workers.think(Job.of(observation, ENDLESS, owner=f"{n}", client=f"{n}")) for n in range(3)]
            assert [await thought.result() in range(7) for thought in thoughts[:2]] == [True, True]
            async for _ in thoughts[2].infos():
                break
            assert not thoughts[2].cancelled  # nobody waits
            thoughts[2].cancel()
            assert await thoughts[2].result() in range(7)

    run(test())


def test_what_cannot_be_thought_is_refused_and_the_worker_goes_on() -> None:
    async def test() -> None:
        observation = look(load("khet").new())
        async with Workers(1) as workers:
            (pid,) = workers.pids
            with pytest.raises(Refused, match="one of the players"):
                await workers.think(Job.of(observation, "deep thought")).result()
            with pytest.raises(Refused, match="not this player’s turn"):
                await workers.think(Job.of(load("khet").view(load("khet").new(), 1), "alphabeta")).result()
            broken = Job("khet", dict(observation.options), b"?", 0, "random")
            with pytest.raises(RuntimeError, match="random failed at khet: ValueError"):
                await workers.think(broken).result()
            assert await workers.think(Job.of(observation, "random")).result() >= 0
            assert workers.pids == [pid]
            left = workers.think(Job.of(observation, ENDLESS))
        with pytest.raises(ThoughtLost, match="shut down"):
            await left.result()
        with pytest.raises(ThoughtLost, match="shut down"):
            workers.think(Job.of(observation, "random"))

    run(test())


def test_a_player_with_plans_remembers_them_from_job_to_job() -> None:
    """Garden's own players plan a turn at its start: a match in workers is the match that is played here."""

    async def test() -> None:
        game = load("garden")
        spec = next(iter(game.opponents))
        here, memory = make(spec, game, seed=3), b""
        world, dice = game.new(seed=3), game.random(3)
        async with Workers(1) as workers:
            for _ in range(40):
                seat = game.turn(world)
                action = game.roll(world, dice) if seat < 0 else here.choose(look(world))
                if seat >= 0:
                    thought = workers.think(Job.of(look(world), spec, seed=3, memory=memory))
                    assert await thought.result() == action
                    memory = thought.memory
                game.apply(world, seat, action)

    run(test())


def test_a_worker_begins_interpreted_and_changes_gear(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With an empty cache a thought of any budget is cut short and says so; with a full one it is not."""
    if not is_warm("connect_four"):
        warm("connect_four")
    full = cache.folder()
    monkeypatch.setenv("QUINCUNX_CACHE", str(tmp_path))

    async def test() -> None:
        game = load("connect_four", "interpreted")
        job = Job.of(look(game.new()), "mcts:simulations=100000")
        async with Workers(1) as workers:
            early = workers.think(job)
            infos = [info async for info in early.infos()]
            assert infos[-1].capped and 0 < infos[-1].nodes < 100_000 and await early.result() in range(7)
            shutil.copytree(full, cache.folder(), dirs_exist_ok=True)  # as `warm` fills it, in less time
            late = workers.think(job)
            infos = [info async for info in late.infos()]
            assert infos[-1].nodes == 100_000 and not infos[-1].capped

    run(test())


def test_a_worker_keeps_few_players() -> None:
    desk = Desk(None)  # type: ignore[arg-type]  # it says nothing
    game = load("connect_four", "interpreted")
    first = desk._player(game, "alphabeta:depth=1")
    assert desk._player(game, "alphabeta:depth=1") is first
    for depth in (2, 3, 4, 5):
        desk._player(game, f"alphabeta:depth={depth}")
    assert len(desk._players) == 4
    assert desk._player(game, "alphabeta:depth=1") is not first


THINKS = """
import asyncio
from quincunx.games import load
from quincunx.players.worker import Job
from quincunx.players.workers import Workers


async def main():
    game = load("khet")
    async with Workers(2) as workers:
        thought = workers.think(Job.of(game.view(game.new(), 0), "alphabeta:time=3600"))
        async for info in thought.infos():
            print(*workers.pids, flush=True)

if __name__ == "__main__":
    asyncio.run(main())
"""
HOLDS_MATCHES = """
import os
from quincunx.tournament import Series, play_one
from quincunx.tournament.pool import pool

if __name__ == "__main__":
    with pool(2) as processes:
        series = Series("khet", ("alphabeta:time=3600", "random"), 2)
        matches = [processes.submit(play_one, series, number) for number in range(2)]
        while not all(match.running() for match in matches):
            pass
        print(*processes._processes, flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="asks for processes with signal 0")
@pytest.mark.parametrize("script", [THINKS, HOLDS_MATCHES], ids=["players", "matches"])
def test_workers_go_when_their_parent_is_killed(tmp_path: Path, script: str) -> None:
    (tmp_path / "parent.py").write_text(script)
    path = os.pathsep.join(p for p in sys.path if p)
    command = [sys.executable, str(tmp_path / "parent.py")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path}) as parent:
        assert parent.stdout is not None
        pids = [int(word) for word in parent.stdout.readline().split()]
        assert len(pids) == 2 and all(map(alive, pids))
        parent.kill()
        parent.wait()
        deadline = monotonic() + PATIENCE
        while any(map(alive, pids)):
            assert monotonic() < deadline


def alive(pid: int) -> bool:
    """Is there such a process? One that has ended and that nobody has asked about yet does not count."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not (status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z")


@pytest.mark.parametrize(("cores", "workers"), [(None, 2), (1, 2), (2, 2), (4, 4), (16, 16), (200, 64)])
def test_a_server_has_as_many_workers_as_the_machine_has_cores(cores: int | None, workers: int) -> None:
    assert serving.workers_for(cores) == workers


def test_the_workers_of_a_machine_are_what_serve_hands_on(monkeypatch: pytest.MonkeyPatch) -> None:
    handed: list[int] = []
    monkeypatch.setattr(serving, "open_server", lambda *given: handed.append(given[4]))
    app = typer.Typer()
    app.command()(serving.serve)
    assert CliRunner().invoke(app, []).exit_code == 0
    assert handed == [serving.workers_for(os.cpu_count())]
