"""The pages of strategy are right: what they say about a position, the engine says, too; their odds are those of the
rules; both languages show the same."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from settled import IDS as GAMES

from claims import Claim, Judge, claims
from quincunx.games.garden.evaluate import chance_to_win

STRATEGY = Path(__file__).parent.parent / "docs" / "strategy"
CLAIMS = [claim for game in GAMES for claim in claims(STRATEGY / f"{game}.en.md")]

judge = cache(Judge)


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_the_engine_confirms_what_a_page_claims(claim: Claim) -> None:
    holds, said = judge(claim.game).holds(claim)
    assert holds, f"{claim}: {said}"


@pytest.mark.parametrize("game", GAMES)
def test_both_languages_show_the_same_boards_and_make_the_same_claims(game: str) -> None:
    found = [list(claims(STRATEGY / f"{game}.{language}.md")) for language in ("fr", "en")]
    assert [(each.text, each.said) for each in found[0]] == [(each.text, each.said) for each in found[1]]
    assert len(found[0]) >= 2
    for language in ("fr", "en"):  # no board goes unchecked
        text = (STRATEGY / f"{game}.{language}.md").read_text("utf-8")
        assert text.count("```board") == len(found[0])


@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_odds_of_the_garden_are_those_of_its_dice(language: str) -> None:
    text = (STRATEGY / f"garden.{language}.md").read_text("utf-8")
    rows = re.findall(r"^\| \*\*(\d)\*\* \| (.*) \|$", text, re.MULTILINE)
    assert [int(attack) for attack, _ in rows] == [2, 3, 4, 5]
    for attack, row in rows:
        exact = [chance_to_win(int(attack), 6, defence, 6) for defence in range(1, 6)]
        assert [int(cell) for cell in row.split(" | ")] == [round(100 * good / every) for good, every in exact]
