"""Whoever knows nothing but the link to the site plays a match, writes a bot and enters a contest by what it says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import newcomer
import pytest

from test_server import Server

pytestmark = pytest.mark.slow


@pytest.fixture
def server(tmp_path: Path, documents: None) -> Iterator[Server]:
    running = Server(tmp_path)
    running.start()
    yield running
    running.kill()


def test_from_a_link_to_a_place_in_a_contest(server: Server, tmp_path: Path) -> None:
    person = newcomer.Newcomer(server.url(""), server.database, tmp_path / "person")
    line = newcomer.walk(person)
    assert line["matches"] >= 1 and line["wins"] + line["draws"] + line["losses"] == line["matches"]


def test_what_a_page_does_not_say_is_told() -> None:
    page = newcomer.Page("http://here/a.html", '<a href="b.html">there</a><code class="sh">quincunx games\n</code>')
    assert page.link("there") == "http://here/b.html" and page.block("sh", "games") == "quincunx games\n"
    with pytest.raises(newcomer.Lost, match="does not show “elsewhere”"):
        page.link("elsewhere")
