"""The site of documents: nothing leads nowhere, every page has its translation, every command shown exists; its boards
are drawn, its search finds, by day and by night, and a server has all of it under /docs."""

from __future__ import annotations

import gzip
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import typer
from documents.building import build, check_links, read_all
from documents.contents import DOCS, LANGUAGES, Contents, Missing, Page
from documents.text import Text
from playwright.sync_api import expect

from browser import Visitor
from quincunx.cli.app import whole
from test_pages_screens import accused
from test_server import Server

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
FIRST_PAGE = 100_000  # bytes that come over the line: the first page with all that it needs, its board, too
CAME = "() => performance.getEntries().reduce((sum, each) => sum + (each.transferSize ?? 0), 0)"
WHOLE = 5_000_000
EVERYWHERE = {"--help", "--version", "--lang"}


@pytest.fixture(scope="module")
def texts() -> dict[Page, Text]:
    return read_all(Contents())


def test_every_link_leads_somewhere(texts: dict[Page, Text]) -> None:
    check_links(texts)
    assert sum(len(text.links) for text in texts.values()) > 200


def test_a_page_without_its_translation_is_told(tmp_path: Path) -> None:
    said = (DOCS / "contents.toml").read_text("utf-8")
    (tmp_path / "contents.toml").write_text(said.replace('"glossary", ', ""))
    with pytest.raises(Missing, match="glossary is missing in fr"):
        Contents(tmp_path / "contents.toml")
    (tmp_path / "contents.toml").write_text(said.replace('"lessons"', ""))
    with pytest.raises(Missing, match=r"lessons\.en\.md is not in"):
        Contents(tmp_path / "contents.toml")


# -- commands -------------------------------------------------------------------------------------------------------


BLOCK = re.compile(r"^ *```(\w*)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
UNSAID = re.compile(r"[A-Z]{3}|…|\[")  # stands for what a reader knows better


def commands() -> Iterator[tuple[str, str]]:
    """Every command of ours with the document it stands in: in a block of shell, after the `$` of a session, or in a
    sentence with all that it needs."""
    for file in sorted([*DOCS.rglob("*.md"), ROOT / "README.md"]):
        text = file.read_text("utf-8")
        for kind, block in BLOCK.findall(text):
            for line in block.replace("\\\n", " ").splitlines():
                line = line.strip().removeprefix("python -m ").removeprefix(".venv/bin/")
                if line.startswith("quincunx " if kind == "sh" else "$ quincunx "):
                    yield file.name, line.removeprefix("$ ").partition("   #")[0].partition("  #")[0]
        for line in re.findall(r"`(quincunx [^`\s]+\s[^`]+)`", BLOCK.sub("", text)):
            if not UNSAID.search(line):
                yield file.name, " ".join(line.split())


def test_every_command_shown_exists_with_its_options() -> None:
    found = list(commands())
    assert len(found) > 100
    root = typer.main.get_command(whole())
    for document, line in found:
        words = shlex.split(line)[1:]
        options, command = set(), root
        for word in words:
            if word == "--":
                break
            if word.startswith("--"):
                options.add(word.partition("=")[0])
            else:
                command = getattr(command, "commands", {}).get(word, command)
        near = [
            root,
            command,
            *(getattr(command, "commands", {}).values() if command is not root else ()),
        ]  # a default one
        parameters = [parameter for each in near for parameter in each.params]
        known = {name for each in parameters for name in (*each.opts, *each.secondary_opts)} | EVERYWHERE
        assert command is not root or not words or words[0].startswith("-"), f"{document}: {line}"
        assert options <= known, f"{document}: {line}: {sorted(options - known)}"


# -- as people see it -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, documents: None) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("site"))
    running.start()
    yield running
    running.kill()


def test_of_several_test_processes_one_builds_the_site() -> None:
    """The fixtures of browser.py take turns; whoever starts the tool beside them finds half a site."""
    builds = re.compile(r'"tools/(?:docs|pages|offline)\.py"')
    found = [file.name for file in Path(__file__).parent.glob("*.py") if builds.search(file.read_text("utf-8"))]
    assert found == ["browser.py"]


def test_the_site_is_light(server: Server) -> None:
    folder = ROOT / "src" / "quincunx" / "server" / "site"
    own = [file for file in folder.rglob("*") if file.is_file() and "play" not in file.relative_to(folder).parts]
    assert sum(file.stat().st_size for file in own) <= WHOLE


def test_the_first_page_is_soon_there(server: Server, visitor: Visitor) -> None:
    screen = visitor("fr-FR", 390)
    screen.open(server, "/docs/fr/index.html")
    screen.sees(screen.page.locator("figure.live svg").first)
    screen.page.wait_for_load_state("networkidle")
    assert FIRST_PAGE / 10 < screen.page.evaluate(CAME) <= FIRST_PAGE


def test_large_files_come_compressed(server: Server) -> None:
    address = server.url("/docs/play/python/pyodide.asm.wasm")
    plain = httpx.get(address, headers={"Accept-Encoding": "identity"})
    with httpx.stream("GET", address, headers={"Accept-Encoding": "gzip"}) as packed:
        came = b"".join(packed.iter_raw())
    assert packed.headers["content-encoding"] == "gzip" and "accept-encoding" in packed.headers["vary"].lower()
    assert gzip.decompress(came) == plain.content and len(came) < len(plain.content) / 2


def test_a_folder_with_something_else_in_it_is_not_emptied(tmp_path: Path) -> None:
    (tmp_path / "homework.txt").write_text("mine")
    with pytest.raises(Missing, match="something else in it"):
        build(tmp_path)
    assert (tmp_path / "homework.txt").read_text() == "mine"


def test_a_server_has_it_under_docs(server: Server) -> None:
    for address in ("/docs", "/docs/", "/docs/fr"):
        found = httpx.get(server.url(address), follow_redirects=True)
        assert found.status_code == 200 and "Quincunx" in found.text
    assert httpx.get(server.url("/docs/nowhere.html")).status_code == 404
    assert httpx.get(server.url("/docs/../../pages.py")).status_code == 404


def test_games_are_played_in_it_under_a_servers_policy(server: Server, visitor: Visitor) -> None:
    screen = visitor("en-GB", 1440)
    screen.open(server, "/docs/fr/rules/connect_four.html")
    screen.page.get_by_role("link", name="Jouer ici").click()
    screen.page.wait_for_url(re.compile(r"/docs/play/index.html\?lang=fr#/new/connect_four"))
    screen.page.get_by_role("button", name="Commencer").click()
    notation = screen.page.get_by_label("Coup en notation")
    screen.sees(notation)
    expect(notation).to_be_enabled()


def test_boards_move_and_words_are_found(server: Server, visitor: Visitor) -> None:
    screen = visitor("fr-FR", 1440)
    screen.open(server, "/docs/fr/rules/khet.html")
    screen.sees(screen.page.locator("figure.live svg").first)
    screen.page.get_by_role("button", name="Voir le coup").first.click()
    screen.sees(screen.page.get_by_role("button", name="Revoir").first)
    screen.page.keyboard.press("/")
    screen.page.keyboard.type("pyramide miroir")
    screen.sees(screen.page.locator("#found li a").first)
    screen.page.keyboard.press("Enter")
    screen.page.wait_for_url(re.compile(r"/docs/fr/.*khet"))
    screen.page.get_by_role("link", name="English").click()
    screen.page.wait_for_url(re.compile(r"/docs/en/"))
    screen.open(server, "/docs/")  # the choice is remembered
    screen.page.wait_for_url(re.compile(r"/docs/en/index\.html"))


def test_a_match_is_played_through_in_place(server: Server, visitor: Visitor) -> None:
    screen = visitor("en-GB", 1440)
    screen.open(server, "/docs/en/studying.html")
    board = screen.page.locator("figure.live").first
    board.scroll_into_view_if_needed()
    screen.sees(board.get_by_text("0 / 38"))
    pieces = board.locator("svg g.piece")
    before = pieces.count()
    board.get_by_role("button", name="Next move").click()
    screen.sees(board.get_by_text("1 / 38"))
    expect(board.get_by_role("status")).not_to_be_empty()
    screen.page.keyboard.press("End")
    screen.sees(board.get_by_text("38 / 38"))
    assert pieces.count() < before
    screen.page.keyboard.press("ArrowLeft")
    screen.sees(board.get_by_text("37 / 38"))
    screen.page.keyboard.press("Home")
    screen.sees(board.get_by_text("0 / 38"))
    expect(board.get_by_role("status")).to_be_empty()
    assert pieces.count() == before


@pytest.mark.parametrize(
    "path",
    [
        "/docs/fr/index.html", "/docs/en/bots.html", "/docs/en/generated/rest.html", "/docs/fr/strategy/garden.html",
        "/docs/en/generated/api.html", "/docs/fr/generated/messages.html", "/docs/fr/learn/chartichaud.html",
        "/docs/en/studying.html",
    ],
)  # fmt: skip
def test_axe_finds_nothing(server: Server, visitor: Visitor, path: str) -> None:
    screen = visitor("fr-FR", 390)
    screen.open(server, path)
    screen.page.wait_for_load_state("networkidle")
    found = accused(screen.page, "light") + accused(screen.page, "dark")
    assert found == []
    assert screen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")  # nothing is cut off on a phone


def test_it_builds_anywhere(tmp_path: Path) -> None:
    build(tmp_path / "site")
    for language in LANGUAGES:
        assert (tmp_path / "site" / language / "index.html").is_file()
        assert "quincunxWords(" in (tmp_path / "site" / f"words.{language}.js").read_text("utf-8")
