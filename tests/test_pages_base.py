"""The pages below a path of a larger site, in a real browser: all that they load, link to and open lies there."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from browser import Visitor
from test_server import Server

pytestmark = pytest.mark.slow

ADA = {"kind": "here", "name": "Ada"}
LINKS = """() => [...document.querySelectorAll('a[href], img[src]')]
    .map((link) => link.getAttribute('href') ?? link.getAttribute('src'))"""


@pytest.fixture(scope="module")
def server(pages: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"))
    running.options, running.base = ["--base-path", "/games"], "/games"
    running.start()
    yield running
    running.kill()


def test_everything_is_found_below_the_path(server: Server, visitor: Visitor) -> None:
    ada, asked = visitor(), []
    ada.page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    ada.page.on("websocket", lambda socket: asked.append(urlsplit(socket.url).path))
    ada.open(server, "/")
    ada.sees(ada.page.get_by_role("link", name="Rules").first).click()  # without loading anew
    ada.page.wait_for_url(server.url("/rules/**"))
    ada.sees(ada.page.get_by_role("heading", level=1).first)
    for path in ("/records", "/contests", "/new/khet", "/learn/connect_four", "/editor/khet", "/join"):
        ada.open(server, path)
        ada.sees(ada.page.get_by_role("heading", level=1).first)
        links = [link for link in ada.page.evaluate(LINKS) if link.startswith("/")]
        assert links and all(link == "/games" or link.startswith("/games/") for link in links), (path, links)

    made = server.make("connect_four", ADA, {"kind": "open"})
    ada.page.get_by_role("textbox").first.fill(server.url(f"/match/{made['code']}"))  # the whole address
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_url(server.url(f"/match/{made['id']}"))
    ada.page.get_by_label("Your name").fill("Bob")
    ada.press("Play", exact=True)
    expect(ada.page.get_by_role("grid").first).to_be_visible()
    other = server.sit(made["id"], made["seats"][0]["token"])
    for n, column in enumerate("abababa"):  # Ada wins, who sits elsewhere
        if n % 2:
            ada.types(column)
            while len(other.now()["legal"]) == 0:
                other.receive()
        else:
            assert other.play(f"m{n}", 0, column)["type"] == "accepted"
    ada.sees(ada.page.get_by_role("link", name="Replay", exact=True)).click()
    ada.page.wait_for_url(server.url("/replay/**"))
    ada.sees(ada.page.get_by_role("slider").first)
    outside = [path for path in asked if path != "/games" and not path.startswith("/games/")]
    assert outside == [] and f"/games/ws/{made['id']}" in asked
