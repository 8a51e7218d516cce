"""Contests on the server: how one stands, what is told of it, what is not, and what two hundred watchers see."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect as connect_later
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from contest_scenes import create, play, write
from quincunx.match import decode, replay
from quincunx.server.contest_news import MOST_CROSSED, PAUSE, RECENT, LiveContest, public_names
from quincunx.server.contest_records import ContestRecords, match_id
from quincunx.server.contests import LiveContests
from quincunx.server.outbox import Outbox
from quincunx.server.process_pool import run_here
from quincunx.store.contests import Rivals
from quincunx.tournament.plan import Entrant, Plan, Start
from quincunx.tournament.results import Result
from stores import Stores
from test_server import SOURCES, Server

pytestmark = pytest.mark.slow  # left out of `make check`

WATCHERS = 200
PATH = "program:/usr/bin/python3 /home/ada/secret/fox.py --token=abc"


def a_plan(name: str, *players: str, matches: int = 2, **more: Any) -> Plan:
    return Plan("connect_four", players or ("level:1", "random", "greedy"), name=name, matches=matches, **more)


class Watcher:
    """Keeps what it is sent."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.outbox = Outbox(self._later, self._now)

    async def _later(self, text: str) -> None:
        raise AssertionError("there is nothing to wait for")

    def _now(self, *texts: bytes) -> bool:
        self.heard += texts
        return True

    @property
    def words(self) -> list[dict[str, Any]]:
        return [json.loads(text) for text in self.heard]


def followed(stores: Stores, plan: Plan) -> tuple[LiveContests, LiveContest]:
    contests = LiveContests(stores.one)

    async def begin() -> LiveContest:
        await create(stores.one, plan)
        return await contests.get(plan.id)

    return contests, stores.run(begin())


# -- how it stands ----------------------------------------------------------------------------------------------------


def test_watchers_are_told_all_of_it_and_then_what_changed_in_the_same_bytes(stores: Stores) -> None:
    plan = a_plan("told")
    contests, live = followed(stores, plan)

    async def look() -> tuple[Watcher, Watcher]:
        await write(stores.one, plan.id, Result(0, 0, ("random", "greedy"), (2, 1)))
        one, two = Watcher(), Watcher()
        await live.refresh()
        live.subscribe(one.outbox)
        await live.refresh()
        live.subscribe(two.outbox)
        await write(stores.two, plan.id, Result(0, 1, ("greedy", "random"), (1, 2)), holding=[(1, 0)])
        while not any(word.get("seq") == 2 and word["lines"] for word in one.words):
            await asyncio.sleep(0.05)
        live.unsubscribe(two.outbox)
        said = len(two.heard)
        await write(stores.two, plan.id, Result(1, 0, ("level:1", "greedy"), (1, 1)))
        while not any(word.get("seq") == 3 for word in one.words):
            await asyncio.sleep(0.05)
        assert len(two.heard) == said  # who left hears nothing
        await contests.close()
        return one, two

    one, two = stores.run(look())
    first, *news = one.words
    assert all(mine is theirs for mine, theirs in zip(one.heard[1:], two.heard[1:], strict=False))
    assert first["now"]["seq"] == 1 and first["now"]["played"] == 1 and first["now"]["expected"] == 6
    assert [line["name"] for line in first["now"]["lines"]] == ["greedy", "random", "level:1"]
    second = next(word for word in news if word["seq"] == 2)
    assert {line["name"] for line in second["lines"]} <= {"greedy", "random", "level:1"}
    assert [(r["pairing"], r["number"]) for r in second["results"]] == [(0, 1)]
    assert [(m["one"], m["two"], m["points"], m["matches"]) for m in second["meetings"]] == [("greedy", "random", 2, 2)]
    assert [(m["pairing"], m["number"]) for m in second["playing"]] == [(1, 0)]
    third = next(word for word in news if word["seq"] == 3)
    assert third["playing"] == [] and {m["two"] for m in third["meetings"]} == {"level:1"}


def test_ratings_follow_with_their_intervals(stores: Stores) -> None:
    plan = a_plan("rated", "level:1", "random", matches=20)
    contests, live = followed(stores, plan)

    async def look() -> dict[str, Any]:
        results = [
            Result(0, n, ("level:1", "random")[:: 1 - 2 * (n % 2)], (1, 2)[:: 1 - 2 * (n % 2)], pair=n // 2)
            for n in range(18)
        ]
        await write(stores.one, plan.id, *results, Result(0, 18, ("level:1", "random"), (2, 1), pair=9))
        watcher = Watcher()
        await live.refresh()
        live.subscribe(watcher.outbox)
        while not any(line["rating"] for word in watcher.words[1:] for line in word["lines"]):
            await asyncio.sleep(0.05)
        await contests.close()
        lines = {line["name"]: line["rating"] for word in watcher.words[1:] for line in word["lines"]}
        return lines

    lines = stores.run(look())
    assert lines["level:1"]["value"] > 100 > 0 > lines["random"]["value"]
    assert all(line["low"] < line["value"] < line["high"] for line in lines.values())


def test_a_contest_is_over_when_nothing_is_missing_and_the_list_says_so(stores: Stores) -> None:
    plan = a_plan("over", "level:1", "random")
    contests, live = followed(stores, plan)

    async def look() -> None:
        await live.refresh()
        before = json.loads(live.page)["now"]
        assert before["finished"] is None and [p["players"] for p in before["upcoming"]] == [["level:1", "random"]]
        await write(stores.one, plan.id, *(Result(0, n, ("level:1", "random"), (1, 2)) for n in range(2)))
        assert not await live.is_over()  # it was looked at just now
        await asyncio.sleep(PAUSE)
        assert await live.is_over()
        await stores.one.contests.leave(plan.id, "nobody", True)
        listed = json.loads(await contests.listed(100))
        assert next(each for each in listed if each["id"] == plan.id)["finished"] is not None
        await contests.close()

    stores.run(look())


def test_the_winner_of_a_knock_out_stands_first_whatever_the_others_gained(stores: Stores) -> None:
    names = ("a", "b", "c", "d")
    plan = a_plan("cup", *names, matches=2, format="knock_out")
    contests, live = followed(stores, plan)

    async def look() -> dict[str, Any]:
        await live.refresh()
        results = [Result(0, n, ("a", "d"), (1, 1)) for n in range(8)]  # level for long,
        results += [Result(0, 8, ("a", "d"), (1, 2)), Result(0, 9, ("d", "a"), (1, 1))]  # then the first gets on
        results += [Result(1, n, ("b", "c")[:: 1 - 2 * n], (1, 2)[:: 1 - 2 * n]) for n in range(2)]  # the second easily
        results += [Result(2, 0, ("a", "b"), (1, 2)), Result(2, 1, ("b", "a"), (1, 1))]
        for result in results:
            await write(stores.one, plan.id, result)
        await asyncio.sleep(PAUSE)
        await live.refresh()
        await contests.close()
        now: dict[str, Any] = json.loads(live.page)["now"]
        return now

    now = stores.run(look())
    shares = {line["name"]: line["points"] / line["matches"] for line in now["lines"]}
    assert now["finished"] and shares["b"] > shares["a"]
    assert [line["name"] for line in now["lines"]][:2] == ["a", "b"]


def test_many_results_at_once_are_not_all_told(stores: Stores) -> None:
    plan = a_plan("many", matches=1000)
    contests, live = followed(stores, plan)

    async def look() -> dict[str, Any]:
        watcher = Watcher()
        await live.refresh()
        live.subscribe(watcher.outbox)
        await write(stores.two, plan.id, *(Result(0, n, ("random", "greedy"), (2, 1)) for n in range(500)))
        while not any(word.get("seq") == 500 for word in watcher.words):
            await asyncio.sleep(0.05)
        await contests.close()
        return next(word for word in watcher.words if word.get("seq") == 500)

    news = stores.run(look())
    assert len(news["results"]) == RECENT and news["results"][-1]["number"] == 499 and news["played"] == 500


def test_a_large_field_has_no_cross_table(stores: Stores) -> None:
    plan = a_plan("field", *(f"p{n}" for n in range(MOST_CROSSED + 1)))
    contests, live = followed(stores, plan)

    async def look() -> dict[str, Any]:
        await write(stores.one, plan.id, Result(0, 0, ("p0", "p1"), (2, 1)))
        await live.refresh()
        await contests.close()
        now: dict[str, Any] = json.loads(live.page)["now"]
        return now

    now = stores.run(look())
    assert now["meetings"] == [] and now["lines"][0]["name"] == "p1" and len(now["lines"]) == MOST_CROSSED + 1


def test_nobody_watches_nobody_looks(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = a_plan("idle")
    contests, live = followed(stores, plan)
    looks: list[str] = []
    ask = stores.one.contests.instant

    async def counted(id: str, rivals: Rivals) -> Any:
        looks.append(id)
        return await ask(id, rivals)

    monkeypatch.setattr(stores.one.contests, "instant", counted)

    async def look() -> tuple[int, int]:
        watchers = [Watcher() for _ in range(50)]
        for watcher in watchers:
            await live.refresh()
            live.subscribe(watcher.outbox)
        await asyncio.sleep(3.5 * PAUSE)
        watched = len(looks)
        for watcher in watchers:
            live.unsubscribe(watcher.outbox)
        await asyncio.sleep(2 * PAUSE)
        ended = len(looks)
        await asyncio.sleep(3 * PAUSE)
        assert len(looks) == ended
        await contests.close()
        return watched, ended

    watched, ended = stores.run(look())
    assert 2 <= watched <= 5 and ended <= watched + 1  # one look for all fifty


# -- what is not told -------------------------------------------------------------------------------------------------


def test_names_are_no_command_lines() -> None:
    called = public_names([PATH, "program:./fox.py", "codingame:/opt/bots/run", "level:3", "Ada"])
    assert list(called.values()) == ["fox.py", "fox.py #2", "run", "level:3", "Ada"]


def test_records_have_no_seeds_while_the_contest_goes_on_and_no_command_lines_ever(stores: Stores) -> None:
    plan = Plan("connect_four", (Entrant("random", PATH), "greedy"), name="secret", matches=2, seed=4711)
    contests, live = followed(stores, plan)
    records = ContestRecords(stores.one, contests, run_here)

    async def look() -> tuple[bytes, bytes, bytes]:
        await play(stores.one, plan, (0, 0))
        running = await records.file(plan.id, 0, 0)
        await play(stores.one, plan, (0, 1))
        await asyncio.sleep(PAUSE)
        over, page = await records.file(plan.id, 0, 0), live.page
        await contests.close()
        return running, over, page

    running, over, page = stores.run(look())
    for text in (running, over, page):
        assert b"/home/ada" not in text and b"--token" not in text and b"fox.py" in text
    assert b"4711" not in running and b"seed" not in running.replace(b'"seed": null', b"")
    assert decode(over).seed == 4711 and b'"seed"' in over
    assert replay(decode(running)).outcome == replay(decode(over)).outcome


def test_under_fog_a_match_that_runs_is_a_name_and_one_that_is_over_is_open(stores: Stores) -> None:
    options: dict[str, Any] = {"width": 9, "height": 7, "turns": 6}
    plan = Plan("chartichaud", ("random", "greedy"), name="fog", matches=2, starts=(Start(options=options),))
    contests, live = followed(stores, plan)
    records = ContestRecords(stores.one, contests, run_here)

    async def look() -> None:
        await write(stores.one, plan.id, holding=[(0, 0)])
        await live.refresh()
        now = json.loads(live.page)["now"]
        assert now["playing"] == [{"pairing": 0, "number": 0, "players": ["random", "greedy"], "match": None}]
        for ask in (records.file(plan.id, 0, 0), records.open(plan.id, 0, 0), records.reel(plan.id, 0, 0, 1, False)):
            assert await refusal(ask) == "no_such_match"
        await play(stores.one, plan, (0, 0))
        shown = json.loads(await records.reel(plan.id, 0, 0, 2, True))
        assert [frame["n"] for frame in shown["frames"]] == [0, shown["total"] - 1] and shown["eye"] == -2
        assert shown["frames"][1]["board"]["cells"]
        await contests.close()

    stores.run(look())


async def refusal(ask: Any) -> str:
    try:
        await ask
    except Exception as error:
        return str(getattr(error, "code", error))
    return ""


# -- reels ------------------------------------------------------------------------------------------------------------


def test_a_reel_is_worked_out_once_and_a_match_opened_once(stores: Stores) -> None:
    plan = a_plan("reel", "greedy", "random")
    contests, _ = followed(stores, plan)
    worked: list[str] = []

    async def run(task: Any, *arguments: Any) -> bytes:
        worked.append(task.__name__)
        await asyncio.sleep(0.05)
        return await run_here(task, *arguments)

    records = ContestRecords(stores.one, contests, run)

    async def look() -> None:
        await play(stores.one, plan, (0, 0))
        same = await asyncio.gather(*(records.reel(plan.id, 0, 0, 240, False) for _ in range(20)))
        assert worked == ["reeled"] and all(each is same[0] for each in same)
        reel = json.loads(same[0])
        assert reel["names"] == ["greedy", "random"] and len(reel["frames"]) == reel["total"]
        assert all(frame["story"] for frame in reel["frames"][1:])
        opened = await asyncio.gather(*(records.open(plan.id, 0, 0) for _ in range(3)))
        assert set(opened) == {match_id(plan.id, 0, 0)}
        stored = await stores.one.match(opened[0])
        assert stored is not None and stored.status == "over" and not stored.public
        await contests.close()

    stores.run(look())


# -- over the network -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("contests"))
    running.start()
    yield running
    running.kill()


def tournament(server: Server, *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "quincunx", "tournament", *arguments, "--jobs", "1", "--database", server.database]
    return subprocess.Popen(
        command, stdout=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": SOURCES}, cwd=Path(__file__).parent.parent
    )


def test_a_contest_over_rest(server: Server) -> None:
    assert httpx.get(server.url("/api/contests")).json() == []
    assert tournament(server, "connect_four", "random", "greedy", "--matches", "2", "--name", "rest").wait(120) == 0
    time.sleep(1.1)  # lists are kept for a second
    (listed,) = httpx.get(server.url("/api/contests")).json()
    assert (listed["name"], listed["game"], listed["played"], listed["players"]) == ("rest", "connect_four", 2, 2)
    base = server.url(f"/api/contests/{listed['id']}")
    shown = httpx.get(base).json()
    assert shown["now"]["finished"] and [line["place"] for line in shown["now"]["lines"]] == [1, 2]
    assert httpx.get(server.url("/api/contests/rest")).json()["id"] == listed["id"]  # how it begins
    record = httpx.get(f"{base}/records/0/1")
    assert 'filename="connect_four-0000-00001.json"' in record.headers["content-disposition"]
    assert replay(decode(record.content)).outcome is not None
    opened = httpx.post(f"{base}/records/0/1/open").json()["id"]
    frames = httpx.get(server.url(f"/api/matches/{opened}/replay"), params={"count": 1}).json()
    assert frames["total"] == httpx.get(f"{base}/records/0/1/reel").json()["total"]
    for path in ("nothing", "nothing/records/0/0"):
        assert httpx.get(server.url(f"/api/contests/{path}")).json()["code"] == "no_such_contest"
    for path in ("records/0/2", "records/9/0", "records/0/2/reel"):
        answer = httpx.get(f"{base}/{path}")
        assert answer.status_code == 404 and answer.json()["code"] == "no_such_match"
    for path in ("records/0/-1", f"records/0/{2**31}", "records/0/0/reel?frames=0", "records/0/0/reel?frames=999"):
        assert httpx.get(f"{base}/{path}").status_code in (400, 404)


def test_the_socket_of_a_contest(server: Server) -> None:
    (listed, *_) = httpx.get(server.url("/api/contests")).json()
    address = f"ws://127.0.0.1:{server.port}/ws/contests"
    with connect(f"{address}/{listed['id']}") as socket:
        assert json.loads(socket.recv(10))["id"] == listed["id"]
        for said in ('{"type":"ping"}', "nonsense"):
            socket.send(said)
            while (word := json.loads(socket.recv(10))).get("type") != "pong":
                assert "seq" in word
    with connect(f"{address}/nothing") as socket, pytest.raises(ConnectionClosed) as closed:
        assert json.loads(socket.recv(10))["code"] == "no_such_contest"
        socket.recv(10)
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 4404
    with connect(f"{address}/{listed['id']}") as socket:
        socket.send("x" * (64 * 1024 + 1))
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                socket.recv(10)
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009


def test_two_hundred_watchers_see_every_result(server: Server) -> None:
    """Matches are played and stored by another process. How soon is printed, from the storing of each result."""
    delays: list[float] = []
    matches = 12

    async def watch(address: str) -> list[tuple[int, int]]:
        """The results that it saw, in their order: first those that were there, then each as it came."""
        async with connect_later(address, max_size=None) as socket:
            now = json.loads(await socket.recv())["now"]
            seen = [(each["pairing"], each["number"]) for each in now["results"]]
            while now["finished"] is None:
                now = json.loads(await socket.recv())
                delays.extend(time.time() - result["at"] / 1000 for result in now.get("results", ()))
                seen += [(each["pairing"], each["number"]) for each in now["results"]]
            return seen

    async def all_of_them() -> list[list[tuple[int, int]]]:
        players = ("mcts:time=0.02", "level:1")
        runner = tournament(server, "connect_four", *players, "--matches", str(matches), "--name", "watched")
        try:
            async with httpx.AsyncClient() as client:
                ids: list[str] = []
                while not ids:
                    listed = (await client.get(server.url("/api/contests"))).json()
                    ids = [each["id"] for each in listed if each["name"] == "watched"]
                    await asyncio.sleep(0.1)
            address = f"ws://127.0.0.1:{server.port}/ws/contests/{ids[0]}"
            watchers = [asyncio.create_task(watch(address)) for _ in range(WATCHERS)]
            async with asyncio.timeout(120):
                return await asyncio.gather(*watchers)
        finally:
            runner.kill()
            runner.wait()

    seen = asyncio.run(all_of_them())
    assert len(seen) == WATCHERS and all(sorted(each) == [(0, n) for n in range(matches)] for each in seen)
    delays.sort()
    print(f"{len(delays)} results seen; median {delays[len(delays) // 2]:.3f} s, last {delays[-1]:.3f} s")
    assert len(delays) >= WATCHERS
