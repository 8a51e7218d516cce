"""Setups over REST: one is its maker's until it is shared, and the game has the last word."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from quincunx.games import cards, load
from test_server import HERE, Server

pytestmark = pytest.mark.slow  # left out of `make check`

ADA, BOB = {"X-Owner": "ada-" + "a" * 18}, {"X-Owner": "bob-" + "b" * 18}
CLASSIC, IMHOTEP = (setup.text for setup in load("khet").setups[:2])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("setups"))
    running.start()
    yield running
    running.kill()


def ask(server: Server, method: str, path: str, status: int, **more: Any) -> Any:
    answer = httpx.request(method, server.url(f"/api/setups{path}"), **more)
    assert answer.status_code == status, answer.text
    return answer.json() if answer.content and answer.headers["content-type"] == "application/json" else answer.content


def keep(
    server: Server, name: str, text: str = CLASSIC, owner: dict[str, str] = ADA, status: int = 201, **more: Any
) -> Any:
    return ask(server, "POST", "", status, json={"game": "khet", "name": name, "text": text, **more}, headers=owner)


def test_a_setup_is_kept_listed_changed_and_deleted(server: Server) -> None:
    made = keep(server, "  mine ")
    assert made["mine"] and made["name"] == "mine"
    path = f"/{made['id']}"
    listed = {each["id"]: each for each in ask(server, "GET", "?game=khet", 200, headers=ADA)}
    assert listed[made["id"]]["mine"] and "text" not in listed[made["id"]]
    assert made["id"] not in [each["id"] for each in ask(server, "GET", "?game=garden", 200)]
    changed = ask(server, "PUT", path, 200, json={"name": "other", "text": IMHOTEP}, headers=ADA)
    assert changed["name"] == "other" and changed["text"] != made["text"]
    assert ask(server, "GET", path, 200, headers=ADA) == changed
    assert ask(server, "DELETE", path, 204, headers=ADA) == b""
    assert ask(server, "GET", path, 404)["code"] == "no_such_setup"
    assert ask(server, "DELETE", path, 404, headers=ADA)["code"] == "no_such_setup"


def test_only_the_owner_changes_it_and_everybody_plays_what_is_shared(server: Server) -> None:
    made = keep(server, "for all", IMHOTEP, shared=True)
    for headers, status, code in (
        (BOB, 403, "not_yours"),
        ({}, 400, "no_owner"),
        ({"X-Owner": "é"}, 400, "unreadable"),
    ):
        sent = {name: value.encode() for name, value in headers.items()}
        for method, more in (("PUT", {"json": {"name": "stolen"}}), ("DELETE", {})):
            assert ask(server, method, f"/{made['id']}", status, headers=sent, **more)["code"] == code
    text = ask(server, "GET", f"/{made['id']}", 200, headers=BOB)
    assert not text["mine"] and text["name"] == "for all" and text["shared"]
    match = server.make("khet", HERE, {**HERE, "name": "Bob"}, text=text["text"])
    assert server.sit(match["id"]).now()["shown"]


def test_what_is_not_shared_does_not_exist_for_others(server: Server) -> None:
    """Bytes of every answer: those about somebody's own are those about nothing."""
    made = keep(server, "secret", IMHOTEP)
    assert not made["shared"] and made["id"] in [each["id"] for each in ask(server, "GET", "", 200, headers=ADA)]
    path, nothing = f"/{made['id']}", f"/{'x' * len(made['id'])}"
    for headers in (BOB, {}):
        listed = httpx.get(server.url("/api/setups?game=khet"), headers=headers)
        assert made["id"] not in listed.text and "secret" not in listed.text
        for method, end in (("GET", ""), ("GET", "/file"), ("PUT", ""), ("DELETE", "")):
            change = {"shared": True} if method == "PUT" else None
            told, none = (
                httpx.request(method, server.url(f"/api/setups{each}{end}"), headers=headers, json=change)
                for each in (path, nothing)
            )
            assert (told.status_code, told.content) == (none.status_code, none.content) and told.status_code >= 400
    assert keep(server, "secret", owner=BOB)["name"] == "secret"  # a name that somebody has tells nothing either
    shared = ask(server, "PUT", path, 200, json={"shared": True}, headers=ADA)
    assert shared["shared"] and ask(server, "GET", path, 200, headers=BOB)["text"] == made["text"]
    ask(server, "PUT", path, 200, json={"shared": False}, headers=ADA)
    assert ask(server, "GET", path, 404, headers=BOB)["code"] == "no_such_setup"


@pytest.mark.parametrize("card", cards(), ids=lambda card: str(card.id))
def test_a_file_goes_out_and_comes_in_for_every_game(server: Server, card: Any) -> None:
    for setup in load(card.id).setups:
        into = f"/file?game={card.id}&name={setup.name}"
        made = ask(server, "POST", into, 201, content=setup.text.encode("utf-8-sig"), headers=ADA)
        file = ask(server, "GET", f"/{made['id']}/file", 200, headers=ADA)
        again = ask(server, "POST", into + "2", 201, content=file.replace(b"\n", b"\r\n"), headers=BOB)
        assert again["text"] == made["text"]


def test_a_name_is_taken_once_by_each(server: Server) -> None:
    keep(server, "unique")
    assert keep(server, "unique", status=409)["code"] == "name_taken"
    keep(server, "unique", owner=BOB)
    made = keep(server, "free")
    answer = ask(server, "PUT", f"/{made['id']}", 409, json={"name": "unique"}, headers=ADA)
    assert answer["code"] == "name_taken"


@pytest.mark.parametrize(
    "body",
    [
        {"text": "xS"},
        {"text": ""},
        {"text": CLASSIC + "\0"},
        {"text": "x" * 40_001},
        {"game": "chess"},
        {"game": "khet\0"},
        {"name": ""},
        {"name": "a\0b"},
        {"name": "\u202e"},
        {"name": "x" * 61},
        {"name": 7},
        {"surprise": True},
    ],
)
def test_what_cannot_be_kept_is_refused_with_words(server: Server, body: dict[str, Any]) -> None:
    before = ask(server, "GET", "", 200)
    sent = {"game": "khet", "name": "bad", "text": CLASSIC, **body}
    refused = ask(server, "POST", "", 400, json=sent, headers=ADA)
    assert refused["words"]["fr"] and refused["words"]["en"]
    assert ask(server, "GET", "", 200) == before


def test_a_file_that_is_no_text_or_too_long_is_refused(server: Server) -> None:
    path = "/file?game=khet&name=file"
    assert ask(server, "POST", path, 400, content=b"\xff\xfe", headers=ADA)["code"] == "unreadable"
    assert ask(server, "POST", path, 413, content=b"x" * 600_000, headers=ADA)["code"] == "too_long"


def test_the_largest_maps_pass_the_door(server: Server) -> None:
    rows = ["." * 200] * 200
    body = {"text": "\r\n".join(["200 200", "100 100", "3", "50", *rows]), "options": {"seats": 2}}
    found = httpx.post(server.url("/api/games/casus_belli/preview"), json=body, timeout=60)
    assert found.status_code == 200, found.text
