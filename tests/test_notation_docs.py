"""What the pages about notation show can be typed as it stands: positions are read, actions are played."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from settled import CARDS

from quincunx import World, load
from quincunx.core.options import read_options
from quincunx.core.words import Language

DOCS = Path(__file__).parent.parent / "docs"
BLOCK = re.compile(r"^```(position|actions)(.*?)\n(.*?)^```", re.MULTILINE | re.DOTALL)


class Example(NamedTuple):
    game: str
    options: list[str]
    position: str
    actions: list[str]  # none: of the position alone


def examples(language: Language) -> list[Example]:
    """Of each game's section the blocks, in order: a position, then actions in it."""
    page = (DOCS / f"notation.{language}.md").read_text("utf-8")
    found: list[Example] = []
    for card in CARDS:
        section = re.search(rf"^### {card.name.of(language)}\n(.*?)(?=^##)", page, re.MULTILINE | re.DOTALL)
        assert section, card.id
        position = ""
        for kind, options, text in BLOCK.findall(section[1]):
            if kind == "position":
                position = text.strip()
            actions = [re.split(r"  +", line)[0] for line in text.splitlines()] if kind == "actions" else []
            found.append(Example(card.id, options.split(), position, actions))
    return found


def world_of(example: Example) -> World:
    game = load(example.game, "interpreted")
    options: dict[str, Any] = dict(read_options(game.options, example.options))
    return game.new(position=example.position, **options)


@pytest.mark.parametrize("example", examples("en"), ids=lambda e: f"{e.game}: {(e.actions or [e.position])[0][:30]}")
def test_an_example_reads_back_and_may_be_played(example: Example) -> None:
    world = world_of(example)
    assert world.position == example.position
    for text in example.actions:
        assert world.text(world.parse(text)) == text
        assert world.check(text) is None, text
        assert world.clone().play(text).position != world.position or text == "WAIT"


def test_the_french_page_shows_the_same_examples() -> None:
    """Read back and played above."""
    assert examples("fr") == examples("en")


def test_every_game_has_a_position_and_actions() -> None:
    shown = {(example.game, bool(example.actions)) for example in examples("en")}
    assert shown == {(card.id, some) for card in CARDS for some in (False, True)}


@pytest.mark.parametrize("id, options", [("casus_belli", {"seats": 2}), ("chartichaud", {})])
def test_the_example_in_the_source_is_a_position(id: str, options: dict[str, Any]) -> None:
    game = load(id, "interpreted")
    said = game.notation.__doc__ or ""
    (line,) = re.findall(r"^    (\d+x\d+ .*(?:\n    memory.*)?)$", said, re.MULTILINE)
    text = " ".join(line.split())
    assert game.new(position=text, **options).position == text
