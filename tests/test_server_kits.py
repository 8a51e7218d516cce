"""Starter kits over REST: the archive is the folder that the command makes, and nothing else is served."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from quincunx.core.words import Language
from quincunx.kits import languages, write_kit
from quincunx.server.kits import archive
from test_server import Server

pytestmark = pytest.mark.slow  # left out of `make check`

SPOKEN: tuple[Language, ...] = ("fr", "en")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("kits"))
    running.start()
    yield running
    running.kill()


def test_an_archive_is_what_the_command_writes(server: Server, tmp_path: Path) -> None:
    found = httpx.get(server.url("/api/kits")).json()
    assert [each["id"] for each in found] == list(languages())
    assert {each["id"]: each["idea"] for each in found}["python"] == "idea.py"
    for spoken in SPOKEN:
        answer = httpx.get(server.url("/api/kits/khet/python"), params={"spoken": spoken})
        assert answer.headers["content-type"] == "application/zip"
        assert answer.headers["content-disposition"] == 'attachment; filename="khet-python.zip"'
        zipfile.ZipFile(io.BytesIO(answer.content)).extractall(tmp_path / spoken)
        write_kit("khet", "python", tmp_path / "written" / spoken, spoken)
        sent = {file.name: file.read_text() for file in (tmp_path / spoken / "khet-python").iterdir()}
        assert sent == {file.name: file.read_text() for file in (tmp_path / "written" / spoken).iterdir()}
    assert (tmp_path / "fr/khet-python/README.md").read_text() != (tmp_path / "en/khet-python/README.md").read_text()


@pytest.mark.parametrize("path", ["nothing/python", "khet/cobol", "khet/..%2f..", "khet/python?spoken=de"])
def test_what_is_no_kit_is_refused_in_words(server: Server, path: str) -> None:
    answer = httpx.get(server.url(f"/api/kits/{path}"))
    assert answer.status_code in (400, 404) and answer.json()["words"]["fr"], answer.text


def test_the_same_kit_is_the_same_bytes() -> None:
    first = archive("connect_four", "cpp", "en")
    archive.cache_clear()
    assert archive("connect_four", "cpp", "en") == first
