"""What the site says by itself is complete: every public name, address and message has words, every example shown is
run, and every picture comes along."""

from __future__ import annotations

import doctest
import json
import re
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import boards
import msgspec
import pytest
from documents import generated, lessons
from documents.building import build
from documents.contents import LANGUAGES, Contents, Missing
from documents.layout import Layout
from documents.text import Reader, Text

from quincunx.core.contract import PUBLIC
from quincunx.match import Match, encode, wire
from quincunx.match.changes import patched
from quincunx.puzzles.lesson import lessons as lessons_of
from test_docs import EXAMPLES_IN

pytestmark = pytest.mark.slow


def reading(said: str, monkeypatch: pytest.MonkeyPatch) -> Reader:
    """Of a page that says so."""
    monkeypatch.setitem(generated.PAGES, "generated/api", lambda: f"# A page\n\n{said}\n")
    contents = Contents()
    return Reader(contents.pages["generated/api", "en"], contents)


# -- pictures -------------------------------------------------------------------------------------------------------


def test_every_picture_of_a_page_is_on_the_site(tmp_path: Path) -> None:
    build(tmp_path)
    shown = [
        (page, source)
        for page in tmp_path.rglob("*.html")
        for tag in re.findall(r"<img [^>]*>", page.read_text("utf-8"))
        for source in re.findall(r'src="([^"]*)"', tag) or [""]
    ]
    assert {Path(source).suffix for _, source in shown} >= {".svg", ".webp"}
    missing = [(page.name, source) for page, source in shown if not (page.parent / source).is_file()]
    assert missing == []


def test_what_is_no_picture_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Missing, match="no picture"):
        reading("![The menu](../contents.toml)", monkeypatch).read()


# -- boards ---------------------------------------------------------------------------------------------------------


def test_a_record_is_played_through_without_what_was_taken_back(tmp_path: Path) -> None:
    match = Match("connect_four", seed=1)
    match.play("a").undo().play("d").play("e")
    (tmp_path / "match.json").write_bytes(encode(match.record()))
    frames = boards.shown("connect_four", {"record": str(tmp_path / "match.json")})["frames"]
    assert len(frames) == 3
    assert msgspec.to_builtins(frames[-1]["shown"]) == msgspec.to_builtins(
        match.game.show(match.game.view(match.world, PUBLIC))
    )


def test_pictures_that_say_only_what_changed_are_the_same_pictures(tmp_path: Path) -> None:
    contents = Contents()
    boards_of = [
        each for name in lessons.names() for each in Reader(contents.pages[name, "fr"], contents).read().boards
    ]
    assert {board.game for board in boards_of} == {name.removeprefix("learn/") for name in lessons.names()}
    for board in boards_of:
        whole = boards.shown(board.game, boards.said(list(board.lines), tmp_path))
        before: dict[str, Any] = {}
        for said, frame in zip(json.loads(board.frames())["frames"], whole["frames"], strict=True):
            now = {"shown": before, "clocks": [], "to_act": [], "seats": []}
            before = patched(now, {"shown": said["shown"]})["shown"]
            assert before == json.loads(msgspec.json.encode(frame["shown"]))


def test_every_step_of_a_lesson_is_on_the_site() -> None:
    """In both languages, and each of its moves on a board."""
    for name in lessons.names():
        taught = lessons_of(name.removeprefix("learn/"))
        for language in LANGUAGES:
            page = lessons.page(name, language)
            steps = [step for lesson in taught for step in lesson.steps]
            assert all(getattr(step.say, language) in page for step in steps)
            assert page.count("```board") == sum(bool(step.play or step.then) for step in steps)


def test_whoever_reads_about_a_game_can_play_it() -> None:
    contents = Contents()
    layout = Layout(contents, defaultdict(str), "site.css")
    for name in ("index", "playing", "rules/khet", "strategy/khet", "learn/khet"):
        html = layout.page(contents.pages[name, "fr"], Text("", "", [], [], [], set()), "fr")
        (address,) = re.findall(r'<p class="play"><a href="([^"]+)"', html)
        assert address.endswith("play/index.html?lang=fr" + ("#/new/khet" if "/" in name else ""))


# -- the public names -----------------------------------------------------------------------------------------------


def public() -> list[tuple[str, Any]]:
    """Every name on the page, and what one calls or asks of it."""
    found: list[tuple[str, Any]] = []
    for module in map(import_module, generated.MODULES):
        found.append((module.__name__, module))
        for name in generated.names(module):
            value = getattr(module, name)
            if callable(value):
                found.append((f"{module.__name__}.{name}", value))
            if isinstance(value, type):
                found += [(f"{name}.{inside}", of) for inside, of in generated.members(value)]
    return found


def test_every_public_name_says_what_it_is() -> None:
    found = public()
    assert len(found) > 120
    assert [name for name, value in found if not generated.documented(value)] == []


def test_a_class_without_words_does_not_borrow_those_of_another() -> None:
    class Silent(msgspec.Struct):
        pass

    assert generated.documented(Silent) == ""
    assert "A base class for" not in generated.api()  # what msgspec says of itself


def test_every_example_of_the_page_is_run_by_the_tests() -> None:
    finder = doctest.DocTestFinder()
    run = {
        line.strip()
        for module in map(import_module, EXAMPLES_IN)
        for test in finder.find(module)
        for example in test.examples
        for line in example.source.splitlines()
    }
    shown = re.findall(r"^(?:>>>|\.\.\.) (.*)$", generated.api(), re.MULTILINE)
    assert len(shown) > 8 and [line for line in shown if line.strip() not in run] == []


# -- REST and messages ----------------------------------------------------------------------------------------------


def test_every_address_of_a_server_says_what_it_does() -> None:
    sections = re.findall(r"^## ([A-Z]+ /\S+)\n\n(.*?)\n", generated.rest(), re.MULTILINE)
    assert len(sections) > 70
    assert [address for address, words in sections if " " not in words] == []


def test_every_message_has_a_place_and_words() -> None:
    page = generated.messages()
    messages = {each for union in generated.MESSAGES.values() for each in get_args(union)}
    assert messages == set(wire._Word.__subclasses__())
    for message in messages:
        assert generated.documented(message), message
        assert re.search(rf"^### {message.__name__}$", page.partition("## What messages are made of")[0], re.MULTILINE)
