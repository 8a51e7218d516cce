"""What a client of the server is told, when it comes, comes back, shares a screen, watches or does not read."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.frames import Frame, Opcode
from websockets.sync.client import ClientConnection, connect

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.seats import SEAL, Room

from quincunx.games import load
from quincunx.server.limits import Allowance
from quincunx.server.lobby import Lobby
from quincunx.server.match_shapes import NewMatch, WantedSeat
from quincunx.server.matches import LiveMatches
from quincunx.server.outbox import MOST_WAITING, Gone
from quincunx.server.session import Session
from quincunx.server.websocket_connection import frame
from quincunx.store import Store
from test_server import COMPUTER, HERE, Client, Server

pytestmark = pytest.mark.slow  # left out of `make check`

BOB = {**HERE, "name": "Bob"}
SMALL = {"width": 8, "height": 6}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("sessions"))
    running.start()
    yield running
    running.kill()


class Guest(Client):
    """With more to say than its tokens."""

    def __init__(self, connection: ClientConnection, tokens: tuple[str, ...], **hello: Any) -> None:
        self.connection = connection
        self.updates = []
        self.send(type="hello", tokens=tokens, **hello)
        self.welcome = self.until("welcome")


def sit(server: Server, match: str, *tokens: str, **hello: Any) -> Guest:
    connection = connect(f"ws://127.0.0.1:{server.port}/ws/{match}", max_size=None).__enter__()
    return Guest(connection, tokens, **hello)


def settle(client: Guest) -> Guest:
    """Reads all that was sent so far."""
    client.send(type="ping")
    client.until("pong")
    return client


def tokens_of(made: dict[str, Any]) -> list[str]:
    return [held["token"] for held in made["seats"]]


# -- coming back ----------------------------------------------------------------------------------------------------


def test_who_comes_back_is_told_what_it_missed(server: Server) -> None:
    made = server.make("connect_four", HERE, BOB)
    ada, bob = (sit(server, made["id"], token) for token in tokens_of(made))
    bob.now()
    for n, column in enumerate("ab"):
        assert (ada, bob)[n].play(f"m{n}", n, column)["type"] == "accepted"
    last = settle(bob).updates[-1]["n"]
    bob.connection.close()
    player = sit(server, made["id"], tokens_of(made)[1], eye=1)
    for n, column in enumerate("cde", 2):
        assert (ada, player)[n % 2].play(f"m{n}", n % 2, column)["type"] == "accepted"
    told = [event for update in settle(player).updates if update["n"] > last for event in update["story"]]
    back = sit(server, made["id"], tokens_of(made)[1], last=last).now()
    assert back["story"] == told[-len(back["story"]) :] and len(back["story"]) == 3
    assert back["n"] == player.updates[-1]["n"] and back["shown"] == player.updates[-1]["shown"]
    assert sit(server, made["id"], tokens_of(made)[1], last=back["n"]).now()["story"] == []
    stranger = sit(server, made["id"], tokens_of(made)[1], last=999).now()
    assert stranger["retold"] and len(stranger["story"]) == 5  # in place of whatever it has heard
    assert stranger["shown"] == back["shown"] and not back["retold"]


def test_what_was_taken_back_leaves_the_story(server: Server) -> None:
    made = server.make("connect_four", HERE, BOB)
    ada, bob = (sit(server, made["id"], token) for token in tokens_of(made))
    for n, column in enumerate("abc"):
        assert (ada, bob)[n % 2].play(f"m{n}", n % 2, column)["type"] == "accepted"
    before = settle(bob).updates[-1]["n"]
    bob.connection.close()
    ada.send(type="ask", seat=0, what="take_back")
    while ada.now()["take_back_asked"] is None:
        ada.receive()
    bob = sit(server, made["id"], tokens_of(made)[1])
    bob.send(type="ask", seat=1, what="allow_take_back")
    while not bob.now()["retold"]:
        bob.receive()
    again = sit(server, made["id"], tokens_of(made)[1], last=before).now()
    for update in (bob.now(), settle(ada).updates[-1], again):
        assert update["retold"] and [event["cells"] for event in update["story"]] == [["a1"], ["b1"]]
        assert [(event["turn"], event["by"]) for event in update["story"]] == [(1, 0), (2, 1)]
    assert ada.play("m3", 0, "d")["type"] == "accepted"
    assert [event["cells"] for event in settle(ada).updates[-1]["story"]] == [["d1"]] and not ada.now()["retold"]


def test_after_a_crash_the_story_is_told_again(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start()
    made = server.make("connect_four", HERE, BOB)
    both = sit(server, made["id"], *tokens_of(made))
    for n, column in enumerate("abc"):
        both.play(f"m{n}", n % 2, column)
    before = settle(both).updates[-1]
    server.kill()
    server.start()
    watcher = sit(server, made["id"]).now()  # who names no number is told the latest
    assert watcher["shown"] == before["shown"] and watcher["story"] == before["story"] != []
    told = [event for update in both.updates for event in update["story"]]
    for last in (0, before["n"]):  # who has nothing yet, or what this process never told it, wants it all
        client = sit(server, made["id"], tokens_of(made)[1], last=last).now()
        assert client["shown"] == before["shown"] and client["retold"]
        assert client["story"] == told and len(told) == 3
    server.kill()


def test_presence_is_shown(server: Server) -> None:
    made = server.make("connect_four", HERE, BOB)
    ada = sit(server, made["id"], tokens_of(made)[0])
    assert [seat["present"] for seat in settle(ada).updates[-1]["seats"]] == [True, False]
    bob = sit(server, made["id"], tokens_of(made)[1])
    while not ada.now()["seats"][1]["present"]:
        ada.receive()
    bob.connection.close()
    while ada.now()["seats"][1]["present"]:
        ada.receive()


def test_the_board_is_sent_to_those_who_want_it(server: Server) -> None:
    made = server.make("connect_four", HERE, BOB)
    assert sit(server, made["id"]).now()["board"] is None
    assert sit(server, made["id"], board=True).now()["board"]["columns"] == list("abcdefg")


def test_welcome_says_what_a_page_needs(server: Server) -> None:
    made = server.make("chartichaud", HERE, BOB, options=SMALL, clock={"kind": "move", "turn": 60_000})
    ours, theirs = sit(server, made["id"], tokens_of(made)[0]).welcome, sit(server, made["id"]).welcome
    assert ours["code"] == made["code"] and theirs["code"] is None
    assert ours["fog"] and ours["options"]["width"] == 8 and ours["clock"]["turn"] == 60_000
    assert ours["yours"] == [0] and theirs["yours"] == [] and not ours["computers_only"]


# -- trying an action out -------------------------------------------------------------------------------------------


def test_an_action_is_tried_out_without_being_played(server: Server) -> None:
    made = server.make("khet", HERE, BOB)
    ada, bob = (sit(server, made["id"], token) for token in tokens_of(made))
    before = settle(ada).updates[-1]
    ada.send(type="try", id="t1", seat=0, action="H2-G1")
    tried = ada.until("tried")
    assert tried["id"] == "t1" and [event["kind"] for event in tried["story"]] == ["moved", "beam"]
    assert tried["shown"]["player"] == 1 and tried["shown"] != before["shown"]
    assert settle(ada).updates[-1] == before and not settle(bob).now()["story"]
    assert ada.play("m", 0, "H2-G1")["type"] == "accepted"
    assert settle(ada).updates[-1]["story"] == tried["story"] and ada.now()["shown"] == tried["shown"]
    for client, seat, action, code in (
        (ada, 0, "H2-G1", "not_to_act"),
        (ada, 1, "A8+", "not_yours"),
        (bob, 1, "J1-", "not_yours"),
        (bob, 1, "nonsense", "unreadable"),
    ):
        client.send(type="try", id="t2", seat=seat, action=action)
        refused = client.until("refused")
        assert (refused["id"], refused["code"]) == ("t2", code)


def test_nothing_is_tried_out_where_there_are_secrets_or_dice(server: Server) -> None:
    for game, options, code in (("chartichaud", SMALL, "secret"), ("cultist", {"neutrals": "wander"}, "dice")):
        made = server.make(game, HERE, BOB, options=options, seed=4)
        ada = sit(server, made["id"], tokens_of(made)[0])
        ada.send(type="try", id="t", seat=0, action=settle(ada).updates[-1]["legal"][0])
        assert ada.until("refused")["code"] == code


# -- sharing a screen -----------------------------------------------------------------------------------------------


def test_on_a_shared_screen_the_seat_to_act_looks(server: Server) -> None:
    made = server.make("khet", HERE, BOB)
    both = sit(server, made["id"], *tokens_of(made))
    for n in range(4):
        now = settle(both).updates[-1]
        assert now["observer"] == n % 2 and now["legal"]
        assert both.play(f"m{n}", n % 2, now["legal"][n])["type"] == "accepted"
    assert [len(update["story"]) > 0 for update in settle(both).updates[-4:]] == [True] * 4
    whole = [event["kind"] for update in both.updates for event in update["story"]]
    assert len([kind for kind in whole if kind in ("moved", "turned")]) == 4  # every action is told once


def test_under_fog_a_shared_screen_waits_and_then_tells_all_since_the_last_turn(server: Server) -> None:
    made = server.make("chartichaud", HERE, BOB, options=SMALL, seed=4)
    both = sit(server, made["id"], *tokens_of(made))
    assert not settle(both).updates  # nothing before somebody says that it looks
    both.send(type="look", seat=0)
    first = settle(both).updates[-1]
    assert first["observer"] == 0 and first["recap"]
    assert both.play("m", 0, next(a for a in first["legal"] if "move" in a))["type"] == "accepted"
    own = [event for update in settle(both).updates[1:] for event in update["story"]]
    assert own and both.play("e", 0, "end")["type"] == "accepted"
    assert {update["observer"] for update in settle(both).updates} == {0}  # not even now that it is the other's turn
    both.send(type="look", seat=1)
    second = settle(both).updates[-1]
    assert second["observer"] == 1 and second["recap"] and second["legal"]
    assert not any(event in second["story"] for event in own)
    both.play("e2", 1, "end")
    both.send(type="look", seat=0)
    assert settle(both).updates[-1]["observer"] == 0
    both.send(type="look", seat=7)
    assert both.until("refused")["code"] == "not_yours"


# -- watching -------------------------------------------------------------------------------------------------------


def test_a_match_of_computers_is_watched_through_any_eyes(server: Server) -> None:
    made = server.make("chartichaud", COMPUTER, COMPUTER, options=SMALL, seed=4)
    watcher = sit(server, made["id"], eye=1)
    assert watcher.welcome["computers_only"] and watcher.now()["observer"] == 1
    follower = sit(server, made["id"])
    seen = {follower.now()["observer"]}
    while seen != {0, 1}:
        seen.add(follower.receive().get("observer", 0))
    watcher.send(type="look", seat=0)
    while watcher.now()["observer"] != 0:
        watcher.receive()


def test_nobody_watches_a_person_through_its_eyes(server: Server) -> None:
    made = server.make("chartichaud", HERE, {"kind": "computer", "player": "mcts:simulations=40"}, options=SMALL)
    watcher = sit(server, made["id"], eye=0)
    assert watcher.until("refused")["code"] == "not_yours"
    assert settle(watcher).updates[-1]["observer"] == -2
    ada = sit(server, made["id"], tokens_of(made)[0])
    words: list[dict[str, Any]] = []
    assert ada.play("e", 0, "end")["type"] == "accepted"
    while ada.now()["to_act"] != [0] and not ada.now()["outcome"]:
        words.append(ada.receive())
    watcher.send(type="ping")
    while (word := watcher.receive())["type"] != "pong":
        words.append(word)
    assert words and not [word for word in words if word["type"] == "thinking"]  # thoughts would tell what it knows


def test_thoughts_are_told_where_nothing_is_secret(server: Server) -> None:
    made = server.make("khet", {"kind": "computer", "player": "alphabeta:time=1"}, HERE)
    watcher = sit(server, made["id"])
    thinking = watcher.until("thinking")
    assert thinking["seat"] == 0 and thinking["depth"] >= 1 and thinking["line"]


def test_nobody_hears_what_the_opponent_thinks(server: Server) -> None:
    made = server.make("khet", {"kind": "computer", "player": "alphabeta:time=1"}, HERE)
    ada, watcher = sit(server, made["id"], tokens_of(made)[0]), sit(server, made["id"])
    watcher.until("thinking")
    words: list[dict[str, Any]] = []
    while ada.now()["to_act"] != [1]:
        words.append(ada.receive())
    ada.send(type="ping")
    while (word := ada.receive())["type"] != "pong":
        words.append(word)
    assert words and not [word for word in words if word["type"] == "thinking"]


# -- reading slowly -------------------------------------------------------------------------------------------------


def test_a_move_that_waits_while_the_game_shifts_its_gear_is_played(tmp_path: Path) -> None:
    async def story() -> None:
        async with Store.open(str(tmp_path / "m.db")) as store:
            matches = LiveMatches(store, lambda id: load(id, "interpreted"))
            seats = (WantedSeat("here", "Ada"), WantedSeat("here", "Bob"))
            made = await Lobby(store, matches).make(NewMatch("chartichaud", seats))
            live = await matches.get(made.id)
            assert live is not None
            heard: list[dict[str, Any]] = []

            async def never(text: str) -> None:
                raise AssertionError("what can be written at once is not sent")

            def write(*texts: bytes) -> bool:
                heard.extend(map(json.loads, texts))
                return True

            session = Session(matches, live, never, Allowance(), write)
            await session.receive(json.dumps({"type": "hello", "tokens": [held.token for held in made.seats]}))
            async with live.lock:
                action = next(text for text in live.match.legal(0) if "," in text)  # a cell is looked up on the map
                word = {"type": "play", "id": "m", "seat": 0, "action": action}
                playing = asyncio.create_task(session.receive(json.dumps(word)))
                await asyncio.sleep(0)
                live.shift(load("chartichaud", "compiled"))
            await playing
            assert "accepted" in [word["type"] for word in heard]

    asyncio.run(story())


def test_who_does_not_read_holds_up_nobody(tmp_path: Path) -> None:
    async def story() -> None:
        async with Store.open(str(tmp_path / "m.db")) as store:
            matches = LiveMatches(store)
            seats = (WantedSeat("here", "Ada"), WantedSeat("here", "Bob"))
            made = await Lobby(store, matches).make(NewMatch("connect_four", seats))
            live = await matches.get(made.id)
            assert live is not None
            stuck, heard = asyncio.Event(), []

            async def never(text: str) -> None:
                await stuck.wait()

            async def receive(text: str) -> None:
                heard.append(json.loads(text))

            slow, quick = (Session(matches, live, send, Allowance(words=1e9)) for send in (never, receive))
            speaking = [asyncio.create_task(session.outbox.drain()) for session in (slow, quick)]
            hello = json.dumps({"type": "hello", "tokens": [held.token for held in made.seats]})
            for session in (slow, quick):
                await session.receive(hello)
            for n in range(MOST_WAITING):  # each is an update for both
                live.rematch = f"r{n}"
                live.publish(0)
                await asyncio.sleep(0)
            await quick.receive('{"type":"ping"}')
            while heard[-1]["type"] != "pong":
                await asyncio.sleep(0)
            assert [word["rematch"] for word in heard if word["type"] == "changed"][-1] == f"r{MOST_WAITING - 1}"
            assert slow.waiting <= MOST_WAITING
            stuck.set()
            with pytest.raises(Gone):
                await speaking[0]
            speaking[1].cancel()
            for session in (slow, quick):
                session.close()
            assert live.idle and not any(feed.wanted for feed in live.feeds.values())

    asyncio.run(story())


@pytest.mark.parametrize("length", [0, 125, 126, 65535, 65536])
def test_messages_of_every_length_are_framed_as_others_frame_them(length: int) -> None:
    assert b"".join(frame(bytes(length))) == Frame(Opcode.TEXT, bytes(length)).serialize(mask=False)


def test_an_acknowledgement_comes_before_what_follows_from_the_move_and_never_waits_for_it(server: Server) -> None:
    made = server.make("connect_four", HERE, BOB)
    ada = settle(sit(server, made["id"], tokens_of(made)[0]))
    ada.send(type="play", id="m", seat=0, action="d")
    assert [ada.receive()["type"] for _ in range(2)] == ["accepted", "update"]
    ada.send(type="play", id="m", seat=0, action="d")  # once more: nothing is new
    assert ada.receive()["type"] == "accepted"


def test_the_server_answers_pings_between_what_it_writes_itself(server: Server) -> None:
    made = server.make("connect_four", HERE, BOB)
    both = sit(server, made["id"], *tokens_of(made))
    for n, column in enumerate("abc"):
        assert both.play(f"m{n}", n % 2, column)["type"] == "accepted"
        assert both.connection.ping().wait(30)


# -- many at one table ----------------------------------------------------------------------------------------------


def test_a_seal_is_told_to_many_in_few_words_and_makes_the_same_update(server: Server) -> None:
    """Who follows what changed has, to the byte, what one who comes anew is shown; orders of others are not counted."""
    people = [{**HERE, "name": f"P{n}"} for n in range(10)]
    made = server.make("casus_belli", *people, options={"seats": 10}, seed=3)
    clients = [settle(sit(server, made["id"], token)) for token in tokens_of(made)]
    for client in clients:
        while not all(seat["present"] for seat in client.now()["seats"]):
            client.receive()
    order = next(text for text in clients[0].now()["legal"] if "face" in text)
    before = clients[1].now()
    assert clients[0].play("o", 0, order)["type"] == "accepted"
    settle(clients[1])
    assert clients[1].now() is before
    words = []
    for seat in range(9):
        assert clients[seat].play("s", seat, "seal")["type"] == "accepted"
    while clients[9].now()["to_act"] != [9]:
        words.append(clients[9].receive())
    assert {word["type"] for word in words} == {"changed"} and len(json.dumps(words)) < 9 * 600
    assert [event["seat"] for word in words for event in word["story"]] == list(range(9))
    fresh = sit(server, made["id"], tokens_of(made)[9]).now()
    ours = {**clients[9].now(), "story": fresh["story"]}
    assert ours == fresh and fresh["shown"]["sealed"] == [True] * 9 + [False]
    assert clients[9].play("s", 9, "seal")["type"] == "accepted"
    while clients[0].now()["shown"]["turn"] == 0:
        clients[0].receive()
    again = sit(server, made["id"], tokens_of(made)[0]).now()
    assert {**clients[0].now(), "story": again["story"]} == again


def test_a_turn_of_a_hundred_people_is_told_in_ten_megabytes(server: Server) -> None:
    """All sit, all seal, and the last seal resolves the turn: every byte that they hear of it."""

    async def turn() -> int:
        room = Room(urlsplit(server.url("")), 100)
        await room.sit()
        await room.settle()
        before = room.bytes
        await room.play(SEAL)
        await room.settle()
        heard = room.bytes - before
        await room.leave()
        return heard

    assert 100_000 < asyncio.run(turn()) < 10_000_000


def test_who_comes_and_goes_is_told_without_the_board(server: Server) -> None:
    made = server.make("khet", HERE, BOB)
    ada = settle(sit(server, made["id"], tokens_of(made)[0]))
    bob = sit(server, made["id"], tokens_of(made)[1])
    word = ada.until("changed", "update")
    assert word["type"] == "changed" and set(word) == {"type", "n", "observer", "seats"}
    bob.send(type="ask", seat=1, what="draw")
    assert ada.until("changed", "update")["draw_offers"] == [1] and "shown" not in word
