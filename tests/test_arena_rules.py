"""What an arena allows: names and keys, who is accepted, meetings that somebody wants, fair play, secrets, its end."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from arena_bots import FOUR, Bot, House, check_all, later, left, shown, told, until
from quincunx.cli.bot import read_arena
from quincunx.core.words import Refused
from quincunx.server import arena as arena_module
from quincunx.server.limits import Limits
from quincunx.server.session import Session
from quincunx.server.shapes import NewArena
from quincunx.store import Store, Unavailable
from stores import Stores

pytestmark = pytest.mark.slow  # left out of `make check`


# -- names and keys --------------------------------------------------------------------------------------------------


def test_a_name_is_its_first_key_s_and_one_connection_s(stores: Stores) -> None:
    async def story(of: House) -> None:
        arena = await of.arenas.make(FOUR)
        fox = await Bot(of, arena, "Fox").enter(None)
        thief = await Bot(of, arena, "Fox", "another key of sixteen").enter()
        assert thief.heard[0]["code"] == "name_taken" and "Fox" in thief.heard[0]["words"]["fr"]
        assert thief.heard[1]["code"] == "not_entered" and not thief.session.name
        twin = await Bot(of, arena, "Fox").enter(None)
        assert fox.heard[-1]["code"] == "elsewhere" and fox.session.dismissed.is_set()
        assert [word["type"] for word in twin.heard] == ["entered"] and not twin.session.dismissed.is_set()
        fox.session.close()  # which does not send the other one away
        await twin.say(type="ready")
        other = await Bot(of, arena, "Owl").enter()
        await until(lambda: twin.said("scored"))
        assert not fox.said("sit")
        await twin.say(type="enter", name="Cat", key="x" * 20)
        assert twin.heard[-1]["code"] == "one_name"
        await left([twin, other])

    told(stores, story)


def test_who_enters_while_the_list_is_read_is_in_it(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(of: House) -> None:
        arena = await of.arenas.make(FOUR)
        honest = stores.one.entrants.all
        fox = Bot(of, arena, "Fox")

        async def slowly(contest: str) -> Any:
            found = await honest(contest)
            if not fox.heard:
                await fox.enter(None)
            return found

        await honest(arena.id)
        monkeypatch.setattr(stores.one.entrants, "all", slowly)
        await arena._read_entrants()
        assert list(arena.entrants) == ["Fox"]
        await left([fox])

    told(stores, story)


@pytest.mark.parametrize(
    "name, key, code",
    [
        ("", "k" * 20, "unreadable"),
        ("level:3", "k" * 20, "name"),
        ("a\nb", "k" * 20, "unreadable"),
        ("x" * 41, "k" * 20, "unreadable"),
        ("Fox", "short", "unreadable"),
        ("Fox", "k" * 65, "unreadable"),
        ("Fox", "é" * 20, "unreadable"),
    ],
)
def test_names_and_keys_have_their_bounds(stores: Stores, name: str, key: str, code: str) -> None:
    async def story(of: House) -> None:
        arena = await of.arenas.make(FOUR)
        bot = await Bot(of, arena, name, key).enter(None)
        assert bot.heard[0]["type"] == "refused" and bot.heard[0]["code"] == code
        assert key not in str(bot.heard[0]) and not arena.entrants
        await bot.say(type="enter", name="Fox", key="x" * 20, protocol=7)
        assert bot.heard[-1]["code"] == "other_protocol" and "7" in bot.heard[-1]["words"]["en"]

    told(stores, story)


def test_only_those_who_are_accepted_play_where_somebody_sees_to_that(stores: Stores) -> None:
    async def story(of: House) -> None:
        arena = await of.arenas.make(NewArena("connect_four", turn=5.0, admission="approved"))
        bots = [await Bot(of, arena, name).enter() for name in ("a", "b", "c")]
        assert not bots[0].said("entered")[0]["accepted"]
        await arena.accept("a", True)
        await arena.accept("b", True)
        assert bots[0].said("entered")[-1]["accepted"]
        await until(lambda: bots[0].said("scored"))
        assert not bots[2].said("sit")
        await arena.remove("c")
        assert bots[2].heard[-1]["code"] == "no_such_entrant"
        with pytest.raises(Refused):
            await arena.accept("nobody", True)
        await left(bots)

    told(stores, story)


# -- what is wanted --------------------------------------------------------------------------------------------------


def test_what_is_wanted_takes_place_once_in_its_chairs_and_nothing_else_does(stores: Stores) -> None:
    async def story(of: House) -> None:
        arena = await of.arenas.make(NewArena("connect_four", turn=5.0, pacing="rounds"))
        bots = [await Bot(of, arena, name).enter() for name in ("a", "b", "c")]
        await asyncio.sleep(0.2)
        assert not arena.running
        for wrong in ([("a", "nobody")], [("a", "b", "c")], [("a", "a")]):
            with pytest.raises(Refused):
                arena.want(wrong)
        arena.want([("a", "b"), ("c", "a"), ("b", "c"), ("b", "a")], round=3)
        await until(lambda: not arena.wanted and not arena.running)
        found = await check_all(stores.two, arena)
        assert sorted(result.players for result in found) == [("a", "b"), ("b", "a"), ("b", "c"), ("c", "a")]
        assert len(await stores.two.entrants.of_round(arena.id, 3)) == 4
        await asyncio.sleep(0.2)
        assert not arena.running
        await left(bots)

    told(stores, story)


def test_what_is_wanted_takes_place_once_though_the_database_does_not_say_so(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest, lost = Store.create, [True, False, True, True]  # was it written before the answer was lost?

    async def create(*given: Any, **named: Any) -> Any:
        if not lost:
            return await honest(*given, **named)
        if lost.pop():
            await honest(*given, **named)
        raise Unavailable("The database does not answer.")

    async def story(of: House) -> None:
        arena = await of.arenas.make(NewArena("connect_four", turn=5.0, pacing="rounds"))
        bots = [await Bot(of, arena, name).enter() for name in ("a", "b")]
        monkeypatch.setattr(Store, "create", create)
        monkeypatch.setattr(arena_module, "PAUSE", 0.05)
        arena.want([("a", "b"), ("b", "a"), ("a", "b"), ("b", "a")], round=1)
        await until(lambda: not arena.wanted and not arena.running)
        found = await check_all(stores.two, arena)
        assert not lost and sorted(result.players for result in found) == [("a", "b")] * 2 + [("b", "a")] * 2
        await left(bots)

    told(stores, story)


# -- fair play and secrets -------------------------------------------------------------------------------------------


def test_nothing_is_taken_back_and_nothing_called_off_where_it_counts(stores: Stores) -> None:
    async def story(of: House) -> None:
        arena = await of.arenas.make(NewArena("connect_four", turn=60.0))
        ada, bob = [Bot(of, arena, name) for name in ("Ada", "Bob")]
        ada.comes = bob.comes = False
        await ada.enter()
        await bob.enter()
        await until(lambda: ada.said("sit") and bob.said("sit"))
        sit = ada.said("sit")[0]
        live = await of.matches.get(sit["match"])
        assert live is not None
        heard: list[dict[str, Any]] = []

        def hear(*texts: bytes) -> bool:
            heard.extend(map(msgspec.json.decode, texts))
            return True

        session = Session(of.matches, live, later, Limits().near, hear)
        for asked in ("abort", "take_back"):
            await session.receive(msgspec.json.encode({"type": "hello", "tokens": [sit["token"]]}).decode())
            await session.receive(
                msgspec.json.encode({"type": "ask", "seat": sit["players"].index("Ada"), "what": asked}).decode()
            )
        assert [word["code"] for word in heard if word["type"] == "refused"] == ["counts", "not_begun"]
        assert not live.match.over
        await left([ada, bob])

    told(stores, story)


def test_what_is_told_of_a_match_under_fog_is_its_id_and_every_start_is_new(stores: Stores) -> None:
    async def story(of: House) -> None:
        arena = await of.arenas.make(NewArena("chartichaud", turn=60.0, options={"width": 8, "height": 8}))
        bots = [Bot(of, arena, name) for name in ("a", "b", "c", "d")]
        for bot in bots:
            bot.comes = False
            await bot.enter()
        await until(lambda: len(arena.running) == 2)
        page = await shown(stores.two, arena)
        playing = page["now"]["playing"]
        assert sorted(each["match"] for each in playing) == sorted(bout.match for bout in arena.running.values())
        stored = [await stores.two.match(each["match"]) for each in playing]
        assert len({each.seed for each in stored if each}) == len({each.start for each in stored if each}) == 2
        said = msgspec.json.encode(page).decode() + str([bot.heard for bot in bots])
        for each in stored:
            assert each is not None and not each.public
            assert str(each.seed) not in said and each.start_digest not in said and (each.code or "?") not in said
        tokens = [word["token"] for bot in bots for word in bot.said("sit")]
        assert len(set(tokens)) == 4 and all(token not in msgspec.json.encode(page).decode() for token in tokens)
        for bot in bots:  # nobody's token reaches another
            others = {word["token"] for other in bots if other is not bot for word in other.said("sit")}
            assert not others & {word["token"] for word in bot.said("sit")}
        await left(bots)

    told(stores, story)


# -- closing ---------------------------------------------------------------------------------------------------------


def test_a_closed_arena_plays_out_what_is_under_way_and_lets_nobody_in(stores: Stores) -> None:
    async def story(of: House) -> None:
        arena = await of.arenas.make(FOUR)
        bots = [await Bot(of, arena, name).enter() for name in ("Ada", "Bob")]
        await until(lambda: len(arena.running) == 1)
        running = {bout.pairing for bout in arena.running.values()}
        await of.arenas.close_arena(arena.id)
        await until(lambda: arena.closed and not arena.running)
        assert bots[0].heard[-1]["code"] == "closed"
        assert running <= {result.pairing for result in await check_all(stores.two, arena)}
        for refused in (of.arenas.get(arena.id), of.arenas.close_arena(arena.id)):
            with pytest.raises(Refused) as why:
                await refused
            assert why.value.code == "closed"
        page = await shown(stores.two, arena)
        assert page["now"]["finished"] and page["format"] == "arena" and page["turn"] == 5.0
        await left(bots)

    told(stores, story)


@pytest.mark.parametrize(
    "wanted, code",
    [
        (NewArena("nonsense"), "unreadable"),
        (NewArena("connect_four", seats=3), "other_size"),
        (NewArena("connect_four", preset="nonsense"), "unreadable"),
        (NewArena("connect_four", setup="nonsense"), "unreadable"),
        (NewArena("connect_four", computers=("level:9",)), "unreadable"),
        (NewArena("connect_four", computers=("program:rm",)), "unreadable"),
        (NewArena("connect_four", turn=0.5, computers=("level:8",)), "too_slow"),
    ],
)
def test_an_arena_in_which_nothing_could_be_played_is_refused(stores: Stores, wanted: NewArena, code: str) -> None:
    async def story(of: House) -> None:
        before = len(await stores.one.contests.latest(100))
        with pytest.raises(Refused) as why:
            await of.arenas.make(wanted)
        assert why.value.code == code and why.value.words.fr != why.value.words.en
        assert len(await stores.one.contests.latest(100)) == before

    told(stores, story)


@pytest.mark.parametrize(
    ("address", "base", "contest"),
    [
        ("http://h:1", "http://h:1", None),
        ("http://h:1/contest/cup-1", "http://h:1", "cup-1"),
        ("http://h:1/games/contest/cup-1/projector", "http://h:1/games", "cup-1"),
    ],
)
def test_the_page_of_an_arena_says_where_it_is(address: str, base: str, contest: str | None) -> None:
    assert read_arena(address) == (base, contest)
