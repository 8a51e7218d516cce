"""Arenas, on SQLite and a real PostgreSQL server: who meets whom, what counts, what becomes of those who do not come or
leave in the middle, of a database that is away, and of a server process that dies beside another."""

from __future__ import annotations

import asyncio
from collections import Counter
from functools import partial
from typing import Any

import pytest

from arena_bots import FOUR, Bot, House, check_all, house, left, results, shown, told, until
from quincunx.core.words import Refused, Words
from quincunx.match import replay
from quincunx.match.referee import Referee, Ruling
from quincunx.server import arena as arena_module
from quincunx.server import bouts as bouts_module
from quincunx.server.shapes import NewArena
from quincunx.store import Store, Unavailable
from quincunx.store import contests as contests_module
from quincunx.store.entrants import Entrants
from quincunx.tournament.playing import unpacked
from stores import Stores

pytestmark = pytest.mark.slow  # left out of `make check`


# -- playing ---------------------------------------------------------------------------------------------------------


def test_programs_meet_one_after_the_other_and_hear_how_they_stand(stores: Stores) -> None:
    async def story(of: House) -> None:
        arena = await of.arenas.make(FOUR)
        bots = [await Bot(of, arena, name).enter() for name in ("Ada", "Bob", "Cy")]
        await until(lambda: all(len(bot.said("scored")) >= 3 for bot in bots))
        await left(bots)
        found = await check_all(stores.two, arena)
        assert all(len(set(result.players)) == 2 and result.reason == "played" for result in found)
        for bot in bots:
            first, *_ = bot.said("entered")
            assert (first["contest"], first["game"], first["rating"], first["matches"]) == (
                arena.id, "connect_four", 1500, 0,
            )  # fmt: skip
            scored = bot.said("scored")
            assert [word["matches"] for word in scored] == list(range(1, len(scored) + 1))
            assert {word["match"] for word in scored} <= {word["match"] for word in bot.said("sit")}
            assert all(1 <= word["place"] <= word["of"] == 3 and word["rank"] in (1, 2) for word in scored)
            assert scored[-1]["error"] < scored[0]["error"]
            assert len(bot.session.seated) <= 2  # what is over is forgotten, however long it stays
        record = unpacked(await stores.one.contests.record(arena.id, found[0].pairing, 0) or b"")
        assert replay(record).over and record.seats[0].player == "program"
        for result in found:
            assert all(s >= 0 and n > 0 for s, n in zip(result.seconds, result.choices, strict=True))

    told(stores, story)


def test_a_computer_of_the_server_plays_with_whoever_is_there(stores: Stores) -> None:
    async def story(of: House) -> None:
        arena = await of.arenas.make(NewArena("connect_four", turn=5.0, computers=("level:1", "random")))
        await asyncio.sleep(0.3)
        assert not arena.running  # alone they do not play
        bot = await Bot(of, arena, "Ada").enter()
        await until(lambda: len({name for word in bot.said("scored") for name in word["players"]}) == 3)
        await left([bot])
        page = await shown(stores.one, arena)
        lines = {line["name"]: line for line in page["now"]["lines"]}
        assert lines["level:1"]["kind"] == "computer" and lines["level:1"]["present"]
        assert await check_all(stores.one, arena)

    told(stores, story)


def test_a_program_may_take_several_matches_at_once(stores: Stores) -> None:
    async def story(of: House) -> None:
        arena = await of.arenas.make(NewArena("connect_four", turn=5.0))
        bots = [Bot(of, arena, name) for name in ("Busy", "a", "b", "c")]
        most = Counter[str]()
        await asyncio.gather(*(bot.enter(3 if bot.name == "Busy" else 1) for bot in bots))

        def enough() -> bool:
            for name, now in Counter(n for bout in arena.running.values() for n in bout.players).items():
                most[name] = max(most[name], now)
            return most["Busy"] >= 2

        await until(enough)
        await left(bots)
        assert all(most[name] <= 1 for name in "abc")
        assert Bot(of, arena, "d").session.takes == 0
        await bots[0].say(type="ready", matches=99)
        assert bots[0].heard[-1]["code"] == "unreadable"

    told(stores, story)


def test_a_match_of_four_seats(stores: Stores) -> None:
    async def story(of: House) -> None:
        arena = await of.arenas.make(NewArena("casus_belli", seats=4, turn=5.0, computers=("random",)))
        assert arena.size == 4
        bots = [await Bot(of, arena, name).enter() for name in ("a", "b", "c", "d", "e")]
        await until(lambda: len(arena.running) == 1)
        (bout,) = arena.running.values()
        assert len(set(bout.players)) == 4
        live = await of.matches.get(bout.match)
        assert live is not None and live.stored.clock.turn == 5000
        await until(lambda: live.stored.status == "playing" and live.match.length > 3)
        seats = [seat for seat, sits in enumerate(live.stored.seats) if sits.token_hash is not None]
        for seat in seats[:-1]:
            await of.matches.ask(live, partial(_resign, seat))
        await until(lambda: live.match.over)
        await until(lambda: any(bot.said("scored") for bot in bots))
        await left(bots)
        (result, *_) = await check_all(stores.two, arena)
        assert sorted(result.players) == sorted(bout.players) and len(result.ranks) == 4

    told(stores, story)


def _resign(seat: int, referee: Referee, at: int) -> Ruling:
    return referee.resign(seat, at)


# -- those who do not come -------------------------------------------------------------------------------------------


def test_who_enters_and_never_says_ready_meets_nobody(stores: Stores) -> None:
    async def story(of: House) -> None:
        arena = await of.arenas.make(FOUR)
        silent = await Bot(of, arena, "Silent").enter(None)
        bots = [await Bot(of, arena, name).enter() for name in ("Ada", "Bob")]
        await until(lambda: len(bots[0].said("scored")) >= 3)
        assert [word["type"] for word in silent.heard] == ["entered"]
        await bots[0].say(type="ready", matches=0)
        await until(lambda: arena.present.get("Ada") == 0 and not arena.is_playing("Ada"))  # the arena has heard of it
        seated = len(bots[0].said("sit"))
        await asyncio.sleep(0.3)
        assert len(bots[0].said("sit")) == seated  # it wants no more
        await left([silent, *bots])

    told(stores, story)


def test_who_does_not_come_to_its_match_lets_others_wait_a_little_and_only_once(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bouts_module, "GRACE", 0.5)

    async def story(of: House) -> None:
        arena = await of.arenas.make(FOUR)
        ghost = Bot(of, arena, "Ghost")
        ghost.comes = False
        await ghost.enter()
        ada = await Bot(of, arena, "Ada").enter()
        await until(lambda: ada.said("scored"))
        first = ada.said("scored")[0]
        assert first["rank"] is None and first["rating"] == 1500 and await results(stores.one, arena) == []
        stored = await stores.two.match(first["match"])
        assert stored is not None and stored.outcome is not None and stored.outcome.reason == "abort"
        await asyncio.sleep(0.7)
        assert len(ghost.said("sit")) == 1 and not arena.running  # whoever did not come meets nobody for a while
        bob = await Bot(of, arena, "Bob").enter()
        await until(lambda: len(ada.said("scored")) >= 4)
        assert all(word["rank"] for word in ada.said("scored")[1:])
        await left([ghost, ada, bob])
        assert len(await check_all(stores.one, arena)) >= 3

    told(stores, story)


def test_who_leaves_in_the_middle_has_lost_when_it_does_not_come_back(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bouts_module, "AWAY", 0.6)

    async def story(of: House) -> None:
        arena = await of.arenas.make(NewArena("connect_four", turn=60.0))
        ada, bob = [await Bot(of, arena, name).enter() for name in ("Ada", "Bob")]
        bob.longest = 6
        await until(lambda: any(task.done() for task in bob.playing.values()))
        await asyncio.sleep(0.8)
        assert not await results(stores.one, arena)  # it is in the arena still: its clock runs, and that will do
        bob.leave()
        await until(lambda: ada.said("scored"))
        await left([ada])
        (result,) = await check_all(stores.two, arena)
        seat = result.players.index("Bob")
        assert result.ranks[seat] == 2 and result.reason == "forfeit" and result.troubles[seat] == "forfeit: absent"

    told(stores, story)


def test_who_comes_back_goes_on_with_the_same_match(stores: Stores) -> None:
    async def story(of: House) -> None:
        arena = await of.arenas.make(NewArena("connect_four", turn=60.0))
        ada, bob = [await Bot(of, arena, name).enter() for name in ("Ada", "Bob")]
        bob.longest = 6
        await until(lambda: any(task.done() for task in bob.playing.values()))
        bob.leave()
        again = await Bot(of, arena, "Bob").enter()
        assert again.said("sit")[0] == bob.said("sit")[0]  # the token too: its key is all that it needs
        await until(lambda: again.said("scored"))
        assert again.said("scored")[0]["match"] == bob.said("sit")[0]["match"]
        await left([ada, again])
        assert all(result.reason == "played" for result in await check_all(stores.two, arena))

    told(stores, story)


# -- a database that is away, and several processes ------------------------------------------------------------------


def test_a_database_that_is_away_for_a_moment_loses_nothing(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    fails: dict[tuple[type, str], int] = {
        (Entrants, "end"): 3, (Entrants, "under_way"): 3, (Entrants, "be_present"): 2, (Entrants, "all"): 2,
        (Store, "create"): 2, (Store, "entries_text"): 2,
    }  # fmt: skip
    for of in fails:
        honest = getattr(*of)

        async def sometimes(*given: Any, of: tuple[type, str] = of, honest: Any = honest, **named: Any) -> Any:
            if fails[of]:
                fails[of] -= 1
                if fails[of] % 2:  # it was written, and nobody heard of it
                    await honest(*given, **named)
                raise Unavailable("The database does not answer.")
            return await honest(*given, **named)

        monkeypatch.setattr(*of, sometimes)
    monkeypatch.setattr(arena_module, "PAUSE", 0.05)

    async def story(of: House) -> None:
        arena = await of.arenas.make(FOUR)
        bots = [await Bot(of, arena, name).enter() for name in ("Ada", "Bob", "Cy")]
        await until(lambda: all(len(bot.said("scored")) >= 3 for bot in bots))
        assert not any(fails.values())
        await left(bots)
        assert len(await check_all(stores.two, arena)) >= 4

    told(stores, story)


def test_after_a_restart_matches_go_on_and_one_that_cannot_be_read_holds_up_nobody(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def first(of: House) -> tuple[str, list[str]]:
        arena = await of.arenas.make(NewArena("connect_four", turn=60.0))
        bots = [Bot(of, arena, name) for name in ("a", "b", "c", "d")]
        for bot in bots:
            bot.longest = 5
            await bot.enter()
        await until(lambda: sum(task.done() for bot in bots for task in bot.playing.values()) >= 3)
        await of.die()
        await left(bots)
        return arena.id, [bout.match for bout in arena.running.values()]

    async def again(of: House, id: str, matches: list[str]) -> None:
        rotten, sound = matches[:2]
        honest = of.matches.get

        async def get(match: str) -> Any:
            if match == rotten:
                raise Refused("damaged", Words("", ""))
            return await honest(match)

        monkeypatch.setattr(of.matches, "get", get)
        await of.arenas.take_up()
        arena = await of.arenas.get(id)
        await until(lambda: len(arena.running) == 1)  # the other one was given up
        (bout,) = arena.running.values()
        bots = [await Bot(of, arena, name).enter() for name in bout.players]
        await until(lambda: bots[0].said("scored"))
        assert bots[0].said("scored")[0]["match"] == sound == bout.match
        await left(bots)
        assert sound in {each.match for each in await stores.two.entrants.of_round(id, 0)}
        assert bout.pairing in {result.pairing for result in await check_all(stores.two, arena)}

    async def story() -> None:
        async with house(stores.one) as of:
            id, matches = await first(of)
        async with house(stores.one) as of:
            await again(of, id, matches)

    stores.run(story())


def test_programs_of_two_server_processes_meet_and_one_goes_on_when_the_other_dies(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not stores.address.startswith("postgres"):
        pytest.skip("SQLite has one server process")
    monkeypatch.setattr(contests_module, "SILENCE", 1.5)
    monkeypatch.setattr(arena_module, "RENEWAL", 0.3)

    async def story() -> None:
        async with house(stores.one) as one, house(stores.two) as two:
            here = await one.arenas.make(FOUR)
            there = await two.arenas.get(here.id)
            assert here is not there
            bots = [await Bot(one, here, name).enter() for name in ("a1", "a2")]
            bots += [await Bot(two, there, name).enter() for name in ("b1", "b2")]
            await until(lambda: all(len(bot.said("scored")) >= 3 for bot in bots))

            async def met() -> bool:  # who is free together may meet some times before that counts as far away
                return any(
                    {name[0] for name in each.players} == {"a", "b"} for each in await check_all(stores.one, here)
                )

            await until(met)
            await one.die()  # with the programs that were connected to it: these come to the other
            await left(bots[:2])
            more = [await Bot(two, there, name).enter() for name in ("a1", "a2")]
            await until(lambda: all(len(bot.said("scored")) >= 3 for bot in more))
            await left([*more, *bots[2:]])
            await check_all(stores.two, there)

    stores.run(story())


def test_each_of_two_server_processes_makes_what_is_wanted_of_it(stores: Stores) -> None:
    if not stores.address.startswith("postgres"):
        pytest.skip("SQLite has one server process")

    async def story() -> None:
        async with house(stores.one) as one, house(stores.two) as two:
            here = await one.arenas.make(NewArena("connect_four", turn=5.0, pacing="rounds"))
            there = await two.arenas.get(here.id)
            bots = [await Bot(one, here, "a").enter(), await Bot(two, there, "b").enter()]
            await until(lambda: "b" in here.entrants and "a" in there.entrants)
            here.want([("a", "b")], 1)
            there.want([("b", "a")], 1)
            await until(lambda: all(len(bot.said("scored")) == 2 for bot in bots))
            await left(bots)
            assert len(await check_all(stores.one, here)) == 2

    stores.run(story())
