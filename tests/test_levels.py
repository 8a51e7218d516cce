"""The levels of a game: those that its folder brings, or those of its kind; what is none is refused at load."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from msgspec.structs import replace

from quincunx.core.levels import ALPHA_BETA, COUNT, MCTS, Level, by_kind, of_module
from quincunx.games import cards, load
from quincunx.players import make, settings
from quincunx.players.levels import MOST, NAMES, specs


@pytest.mark.parametrize("id", [card.id for card in cards()])
def test_every_level_of_every_game_is_a_player_that_can_be_made(id: str) -> None:
    game = load(id, "interpreted")
    assert len(specs(id)) == MOST == len(NAMES) == COUNT
    for n, spec in enumerate(specs(id), 1):
        assert settings(f"level:{n}", game) == settings(spec, game)
    assert make("level:1", game).name == "level:1"


def test_a_game_without_levels_of_its_own_has_those_of_its_kind() -> None:
    open_game = replace(load("khet", "interpreted").card, id="other")
    assert by_kind(open_game)[-1].spec == "alphabeta:nodes=1000000"
    for kind in ({"dice": True}, {"fog": True}, {"simultaneous": True}, {"seats": (2, 3)}):
        assert by_kind(replace(open_game, **kind)) == MCTS


@pytest.mark.parametrize(
    "levels",
    [
        None,
        ALPHA_BETA[:-1],
        ("alphabeta:nodes=5",) * COUNT,
        (*ALPHA_BETA[:-1], Level("greedy", 5)),  # type: ignore[arg-type]
        (*ALPHA_BETA[:-1], Level("mcts", 0)),
        (*ALPHA_BETA[:-1], Level("mcts", 5, mistakes=101)),
    ],
)
def test_levels_that_are_none_are_refused(levels: Any) -> None:
    module = ModuleType("other.levels")
    module.LEVELS = levels  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match=r"^other\.levels\.LEVELS: expected 8 of Level"):
        of_module(module)
