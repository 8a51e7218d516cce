"""The built pages: what has a hash is kept for ever, their own addresses get index.html, the rest is 404."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar import get
from litestar.testing import TestClient, create_test_client

from quincunx.games import cards
from quincunx.server import pages, problems

INDEX = b"<!doctype html><title>Quincunx</title>"
SCRIPT = b"export const games = 5\n" * 100


@get("/api/games")
async def games() -> dict[str, int]:
    return {"games": 5}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(pages, "FOLDER", tmp_path / "pages")
    return tmp_path / "pages"


@pytest.fixture
def client() -> Iterator[TestClient[Any]]:
    handlers: Any = problems.EXCEPTION_HANDLERS
    with create_test_client(
        [games, *pages.HANDLERS], exception_handlers=handlers, before_send=[problems.secure]
    ) as client:
        yield client


def build(folder: Path) -> None:
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_bytes(INDEX)
    (folder / "icon.svg").write_bytes(b"<svg/>")
    (folder / "assets" / "app-3f2a.js").write_bytes(SCRIPT)
    (folder / "assets" / "khet-3f2a.wasm").write_bytes(b"\0asm")
    (folder / "assets" / "app-3f2a.js.gz").write_bytes(gzip.compress(SCRIPT))
    (folder.parent / "secret.txt").write_text("not a page")


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/new/khet",
        "/join",
        "/match/ABCDEF",
        "/replay/x",
        "/study/match/x",
        "/editor/khet/1",
        "/records",
        "/rules/khet",
    ],
)
def test_the_pages_own_addresses_get_the_index(folder: Path, client: TestClient[Any], path: str) -> None:
    build(folder)
    answer = client.get(path)
    assert (answer.status_code, answer.content) == (200, INDEX)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    again = client.get(path, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_what_has_a_hash_is_kept_for_ever_and_travels_packed(folder: Path, client: TestClient[Any]) -> None:
    build(folder)
    for encodings, packed in (("gzip, br", "gzip"), ("identity", None), ("deflate", None)):
        answer = client.get("/assets/app-3f2a.js", headers={"Accept-Encoding": encodings})
        assert answer.content == SCRIPT and answer.headers.get("content-encoding") == packed
        assert "immutable" in answer.headers["cache-control"] and answer.headers["vary"] == "Accept-Encoding"
        assert answer.headers["content-type"].startswith("text/javascript")
    assert client.get("/icon.svg").headers["content-type"] == "image/svg+xml"
    engine = client.get("/assets/khet-3f2a.wasm")
    assert engine.headers["content-type"] == "application/wasm" and "immutable" in engine.headers["cache-control"]


@pytest.mark.parametrize(
    "path",
    ["/assets/other.js", "/secret.txt", "/../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt",
     "/api", "/api/none", "/api/games/none", "/ws/none", "/metrics/none", "/assets/app-3f2a.js.gz"],
)  # fmt: skip
def test_nothing_else_is_there(folder: Path, client: TestClient[Any], path: str) -> None:
    build(folder)
    answer = client.get(path)
    assert answer.status_code == 404 and answer.json()["code"] == "not_found"
    assert client.get("/api/games").json() == {"games": 5}


def test_an_address_that_nobody_knows_is_told_by_the_pages(folder: Path, client: TestClient[Any]) -> None:
    build(folder)
    answer = client.get("/nowhere")
    assert (answer.status_code, answer.content) == (404, INDEX)


def test_before_they_are_built_one_page_says_how(folder: Path, client: TestClient[Any]) -> None:
    answer = client.get("/")
    assert answer.status_code == 200 and answer.text.count("make pages") == 2
    assert "<script" not in answer.text and "style=" not in answer.text and "<style" not in answer.text
    assert client.get("/plain.css").headers["content-type"].startswith("text/css")
    for card in cards():
        assert answer.text.count(card.name.fr) >= 1 and card.summary.fr in answer.text.replace("&#x27;", "'")
