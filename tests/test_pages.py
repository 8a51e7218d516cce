"""The pages in a real browser, on a real server: every game, over the network, on one computer, against the computer.

Moves are typed in notation, by the keyboard alone; what is legal is asked of the server by a client beside the page.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Response, WebSocketRoute, expect
from settled import IDS

from browser import LONG, Screen, Visitor
from quincunx.games import cards, load
from test_server import Client, Server

pytestmark = pytest.mark.slow

ADA, BOB = {"kind": "here", "name": "Ada"}, {"kind": "here", "name": "Bob"}
SHORT: dict[str, dict[str, Any]] = {  # of games that would not end soon: a match that does
    "cultist": {"turns": 6},
    "chartichaud": {"width": 6, "height": 5, "turns": 6},
    "garden": {"rounds": 5},
    "casus_belli": {"seats": 2, "width": 9, "height": 9, "placement": 0, "turns": 21},
}
LAZY = {"chartichaud": "end", "garden": "end", "casus_belli": "seal"}  # ends a turn
GAMES = [card.id for card in cards()]


@pytest.fixture(scope="module")
def server(pages: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"))
    running.start()
    yield running
    running.kill()


def shortest_khet(least: int = 1) -> list[str]:
    """The moves of the shortest of many random games, of those that are long enough."""
    game, best = load("khet"), [""] * 10**6
    for seed in range(400):
        world, choose = game.new(seed=0), random.Random(seed)
        texts: list[str] = []
        while not game.over(world) and len(texts) < min(len(best), 80):
            seat, action = game.turn(world), choose.choice(game.legal(world))
            texts.append(game.text(world, seat, action))
            game.apply(world, seat, action)
        if game.over(world) and least <= len(texts) < len(best) and max(game.scores(world)) > 0:
            best = texts
    return best


class Chooser:
    """What the seats of a match play: a few actions, then the end of the turn; in Khet a short game."""

    def __init__(self, game: str) -> None:
        self.game, self._random, self._acted = game, random.Random(7), 0
        self._script = shortest_khet() if game == "khet" else []

    def choose(self, legal: list[str]) -> str:
        if self._script:
            return self._script.pop(0)
        lazy = LAZY.get(self.game)
        self._acted += 1
        if lazy in legal and self._acted % 3 == 0:
            return str(lazy)
        return self._random.choice(legal)


def play_to_the_end(screens: dict[int, Screen], oracles: dict[int, Client], chooser: Chooser) -> dict[str, Any]:
    """Every seat types what is chosen for it; returns the last update."""
    for _ in range(400):
        seat = next((s for s, oracle in oracles.items() if current(oracle)["legal"]), None)
        if seat is None:
            over = next((now for oracle in oracles.values() if (now := current(oracle))["outcome"]), None)
            if over:
                return over
            next(iter(oracles.values())).receive()
            continue
        before = current(oracles[seat])["n"]
        screens[seat].types(chooser.choose(current(oracles[seat])["legal"]))
        while current(oracles[seat])["n"] == before:
            oracles[seat].receive()
    raise AssertionError("the match does not end")


def current(oracle: Client) -> dict[str, Any]:
    """The latest update, after everything that is on its way."""
    oracle.send(type="ping")
    oracle.until("pong")
    return oracle.now()


def make(server: Server, game: str, *seats: dict[str, Any], **more: Any) -> dict[str, Any]:
    return server.make(game, *seats, options=SHORT.get(game, {}), **more)


@pytest.mark.parametrize("game", GAMES)
def test_two_people_over_the_network_play_to_the_end(server: Server, visitor: Visitor, game: str) -> None:
    ada, bob = visitor(), visitor()
    made = make(server, game, ADA, {"kind": "open"})
    ada.sit(made["id"], *made["seats"], server=server)
    bob.open(server, "/join")
    bob.page.get_by_role("textbox").first.fill(made["code"].lower())
    bob.page.keyboard.press("Enter")
    bob.page.get_by_label("Your name").fill("Bob")
    bob.press("Play", exact=True)
    expect(bob.page.get_by_role("grid").first).to_be_visible()
    kept = bob.page.evaluate("() => JSON.stringify(localStorage)")
    token = next(word for word in kept.replace("\\", "").split('"') if len(word) == 22)
    oracles = {0: server.sit(made["id"], made["seats"][0]["token"]), 1: server.sit(made["id"], token)}
    play_to_the_end({0: ada, 1: bob}, oracles, Chooser(game))
    for screen in (ada, bob):
        screen.sees(screen.page.get_by_role("link", name="Replay", exact=True))
    bob.page.get_by_role("link", name="Replay", exact=True).click()
    bob.page.wait_for_url("**/replay/**")
    bob.sees(bob.page.get_by_role("slider").first)


@pytest.mark.parametrize("game", GAMES)
def test_a_person_against_the_computer_and_a_reload_loses_nothing(server: Server, visitor: Visitor, game: str) -> None:
    ada = visitor()
    made = make(server, game, ADA, {"kind": "computer", "player": "random"})
    ada.sit(made["id"], *made["seats"], server=server)
    oracle, chooser = server.sit(made["id"], made["seats"][0]["token"]), Chooser(game)
    chooser._script.clear()
    for n in range(4):
        while not (now := current(oracle))["legal"] and not now["outcome"]:
            oracle.receive()
        if now["outcome"]:
            break
        ada.types(chooser.choose(now["legal"]))
        if n == 1:
            ada.page.reload()
            expect(ada.page.get_by_role("grid").first).to_be_visible()
    if not current(oracle)["outcome"]:
        ada.press("Match", exact=True)
        ada.press("Resign")
        ada.press("Yes")
    ada.sees(ada.page.get_by_role("button", name="Rematch"))


def test_an_action_that_nobody_acknowledged_and_the_story_survive_a_reload(server: Server, visitor: Visitor) -> None:
    both = visitor()
    made = make(server, "connect_four", ADA, BOB)
    both.sit(made["id"], *made["seats"], server=server)
    for action in "ab":
        both.types(action)
    deaf = True

    def connect(page: WebSocketRoute) -> None:
        line = page.connect_to_server()
        page.on_message(lambda word: None if deaf and '"play"' in str(word) else line.send(word))

    both.page.route_web_socket("**/ws/*", connect)
    both.page.reload()
    story = both.page.get_by_role("region", name="The story").locator("[data-line]")
    expect(story).to_have_count(2)
    both.page.keyboard.press("3")
    both.page.wait_for_function("() => Object.keys(sessionStorage).length === 1")
    deaf = False
    both.page.reload()
    expect(story).to_have_count(3)
    both.sees(story.last.get_by_text("c1"))
    both.page.wait_for_function("() => Object.keys(sessionStorage).length === 0")


def test_a_rematch_swaps_the_seats(server: Server, visitor: Visitor) -> None:
    both = visitor()
    made = make(server, "connect_four", ADA, BOB)
    both.sit(made["id"], *made["seats"], server=server)
    for action in "abababa":
        both.types(action)
    both.press("Rematch")
    both.page.wait_for_url(lambda url: "/match/" in url and made["id"] not in url)
    again = httpx.get(server.url(f"/api/matches/{both.page.url.rsplit('/', 1)[1]}")).json()
    assert again["names"] == ["Bob", "Ada"]


@pytest.mark.parametrize("game", ["chartichaud", "casus_belli"])
def test_nothing_of_a_seat_is_in_the_page_of_a_shared_computer_before_the_hand_over(
    server: Server, visitor: Visitor, game: str
) -> None:
    both = visitor()
    made = make(server, game, ADA, BOB)
    eyes = {held["seat"]: server.sit(made["id"], held["token"]) for held in made["seats"]}
    received: list[str] = []
    both.page.on("websocket", lambda line: line.on("framereceived", lambda frame: received.append(str(frame))))
    both.sit(made["id"], *made["seats"], server=server)
    received.clear()  # while the links came one by one, the first seat alone was held here, and shown
    both.page.reload()
    take = both.page.get_by_role("button", name="I am")
    both.sees(take)
    secrets = [facts(current(eyes[seat])["shown"]) for seat in (0, 1)]
    assert all(secrets)
    source = both.page.content() + "".join(received)
    assert not any(fact in source for hidden in secrets for fact in hidden)
    take.click()
    expect(both.page.get_by_role("grid").first).to_be_visible()
    if both.page.get_by_role("button", name="Begin my turn").count():
        both.press("Begin my turn")
    seat = next(s for s, eye in eyes.items() if current(eye)["legal"])
    received.clear()
    both.types(LAZY[game])
    both.press("Pass the screen")
    both.sees(take)
    source = both.page.content()
    assert not any(fact in source for hidden in secrets for fact in hidden)
    other = facts(current(eyes[1 - seat])["shown"])
    assert not any(fact in "".join(received) for fact in other if fact not in "".join(secrets[seat]))


def facts(shown: dict[str, Any]) -> list[str]:
    """Pieces of JSON that only the holder of this view may have: the cells it sees, its own units' affairs."""

    def written(value: Any) -> str:
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)

    if "places" in shown:
        return [written(place) for place in shown["places"] if place["seen"] and place["stacks"]]
    return [f'"sight":{written(shown["sight"])}']


def test_a_setup_of_khet_has_a_whole_life(server: Server, visitor: Visitor) -> None:
    """A draft on this device, then the maker's own, then everybody's, then gone."""
    ada, bob = visitor(), visitor()
    ada.open(server, "/editor/khet")
    name = ada.page.get_by_label("Name", exact=False).first
    sphinx = ada.page.locator('[data-square="J1"]')
    sphinx.dispatch_event("click")
    ada.press("Remove")
    ada.sees("Silver needs its sphinx on J1.")
    name.fill("My pyramid")
    ada.press("Keep as a draft")
    ada.sees("Draft kept on this device")
    ada.page.reload()
    ada.sees("This position can be played.")  # the usual one: the draft waits in its list
    ada.press("My pyramid", exact=True)
    expect(name).to_have_value("My pyramid")
    ada.sees("Silver needs its sphinx on J1.")
    ada.press("Silver sphinx")  # out of the box again
    sphinx.dispatch_event("click")
    ada.sees("This position can be played.")
    ada.press("Save")
    ada.page.wait_for_url("**/editor/khet/**")
    expect(ada.page.get_by_text("Drafts (on this device)")).to_have_count(0)
    saved = ada.page.url.rpartition("/")[2]

    sphinx.dispatch_event("click")  # a draft of what is saved already is its next version, not another one of its name
    ada.press("Remove")
    ada.press("Keep as a draft")
    ada.sees("Draft kept on this device")
    ada.page.reload()
    ada.press("My pyramid", exact=True)  # the draft: it stands above what is saved
    ada.sees("Silver needs its sphinx on J1.")
    ada.press("Silver sphinx")
    sphinx.dispatch_event("click")
    ada.press("Save")
    ada.page.wait_for_url(f"**/editor/khet/{saved}")
    expect(ada.page.get_by_text("Drafts (on this device)")).to_have_count(0)

    ada.open(server, "/new/khet")
    ada.page.get_by_label("Position or map").select_option(label="My pyramid")
    ada.press("Begin")
    ada.page.wait_for_url("**/match/**")

    bob.open(server, "/editor/khet")
    bob.sees("This position can be played.")
    expect(bob.page.get_by_role("button", name="My pyramid")).to_have_count(0)
    ada.open(server, f"/editor/khet/{saved}")
    expect(name).to_have_value("My pyramid")
    name.fill("Our pyramid")
    ada.press("Save")
    ada.page.get_by_label("Share it with everyone").check()
    ada.sees("(shared)")
    bob.open(server, "/editor/khet")
    bob.press("Our pyramid")
    expect(bob.page.get_by_label("Name", exact=False).first).to_have_value("Our pyramid")
    expect(bob.page.get_by_role("button", name="Delete")).to_have_count(0)

    ada.press("Delete: Our pyramid")
    ada.page.get_by_role("dialog").get_by_role("button").last.click()
    ada.sees("Nothing saved yet.")
    assert httpx.get(server.url("/api/setups?game=khet")).json() == []
    ada.complaints.clear()  # Chromium reports every refusal


@pytest.mark.parametrize("language, heading", [("fr-FR", "À quoi jouons-nous"), ("en-GB", "What shall we play")])
def test_the_page_speaks_the_browser_s_language(server: Server, visitor: Visitor, language: str, heading: str) -> None:
    screen = visitor(language).open(server, "/")
    screen.sees(heading)
    assert screen.page.evaluate("() => document.documentElement.lang") == language[:2]


def test_the_rules_are_shown_on_boards_that_play(server: Server, visitor: Visitor) -> None:
    screen = visitor("fr-FR", 390, motion=True)
    for game in IDS:
        screen.open(server, f"/rules/{game}")
        screen.sees(screen.page.locator("figure [role=img] svg").first)
        assert screen.page.locator("article pre, article code").count() == 0, (
            "rules are for players, not for programmers"
        )
    screen.open(server, "/rules/khet")
    pieces = "[...document.querySelectorAll('figure .figure')].map((piece) => piece.style.transform).join()"
    before = screen.page.evaluate(pieces)
    screen.page.locator("figure button").first.scroll_into_view_if_needed()  # in sight, it plays by itself
    screen.page.wait_for_function(f"(before) => {pieces} !== before", arg=before)
    screen.sees("Revoir")


def test_on_a_phone_the_rules_of_a_match_open_in_view(server: Server, visitor: Visitor) -> None:
    made = server.make("connect_four", ADA, BOB)
    screen = visitor("en-GB", 390).sit(made["id"], made["seats"][0], server=server)
    screen.press("Rules")
    expect(screen.page.locator("aside.text h1")).to_be_in_viewport()


def test_an_analysis_that_was_asked_for_by_a_link_judges_every_move_once(server: Server, visitor: Visitor) -> None:
    made = server.make("connect_four", ADA, BOB)
    client = server.sit(made["id"], *(held["token"] for held in made["seats"]))
    for n, column in enumerate("abababa"):
        assert client.play(f"m{n}", n % 2, column)["type"] == "accepted"
    screen = visitor()
    screen.page.add_init_script("delete window.WebAssembly")  # else the page thinks for itself, and asks nobody
    asked: list[int] = []

    def heard(answer: Response) -> None:
        if "/analysis" in answer.url:
            asked.append(len(answer.json()["moves"]))

    screen.page.on("response", heard)
    screen.open(server, f"/replay/{made['id']}#analyse")
    for _ in range(LONG // 100):
        if sum(asked) >= 7:
            break
        screen.page.wait_for_timeout(100)
    screen.page.wait_for_timeout(1500)  # whoever asks twice does so at once
    assert sum(asked) == 7
    points = str(screen.page.locator("figure polyline").get_attribute("points"))
    assert [point.split(",")[0] for point in points.split()] == [str(n) for n in range(1, 8)]
