"""What a rung of the ladder is about: it is measured anew when anything changes that its players are made of, and on
starts that nothing is chosen on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from added_game import among_the_games, change, write_package
from quincunx.cli import compare as comparing
from quincunx.cli.tune import tune
from quincunx.games import cards
from quincunx.tournament import Series, ladder
from quincunx.tournament.duel import Arena
from quincunx.tournament.makings import makings
from quincunx.tournament.plan import Plan
from quincunx.tournament.series import Bout
from quincunx.tournament.starts import EXPERIMENTS, MOST_PAIRS, of_ladder

IMPORT = "from quincunx.core.engine import rule\n"
MORE = "from quincunx.core.hints import Hints\nfrom quincunx.core.random import Random\n"
POLICY = """

@rule
def policy(terms: Terms, s: State, seat: int, out: list[int], n: int, random: Random) -> int:
    return n - 1
"""
ALIKE = [
    ("evaluate.py", "", "\n# a word to whoever reads this\n"),
    ("evaluate.py", IMPORT, IMPORT + MORE),
    ("rules.py", '"""1 for the winner', '"""Only 1 for the winner'),
]
OTHERS = {
    "policy": [("evaluate.py", IMPORT, IMPORT + MORE), ("evaluate.py", "", POLICY)],
    "hints": [("evaluate.py", IMPORT, IMPORT + MORE), ("evaluate.py", "", "\nHINTS = Hints(look_ahead=3)\n")],
    "constant": [("rules.py", "HEAPS, HIGHEST = 6, 9", "HEAPS, HIGHEST = 5, 9")],
    "evaluation": [("evaluate.py", "return -100", "return -99")],
    "rules": [("rules.py", "s.player = 1 - seat", "s.player = 1 ^ seat")],
}


def nim(folder: Path, changes: list[tuple[str, str, str]]) -> str:
    """In a folder of its own: the sources of rules are read once."""
    folder.mkdir()
    write_package(folder)
    for each in changes:
        change(folder, *each)
    makings.cache_clear()
    with among_the_games(folder):
        return makings("nim")


def test_a_rung_is_measured_anew_when_policy_or_constants_change(tmp_path: Path) -> None:
    """And what is only said to people changes nothing."""
    own = nim(tmp_path / "own", [])
    assert nim(tmp_path / "alike", ALIKE) == own
    made = {name: nim(tmp_path / name, changes) for name, changes in OTHERS.items()}
    assert len({own, *made.values()}) == 1 + len(OTHERS), made


def test_every_rung_says_what_it_is_made_of() -> None:
    found = {(rung.game, rung.lower): rung.makings for rung in ladder.rungs()}
    assert all(found.values())
    assert len({found[card.id, "random"] for card in cards()}) == len(cards())
    assert found["garden", "heuristic_gardener"] != found["garden", "greedy"] == found["garden", "level:3"]


# -- starts ----------------------------------------------------------------------------------------------------------

LADDERS = {of_ladder(pair) for pair in range(MOST_PAIRS)}


def test_the_ladder_keeps_to_its_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ladder.LOOKS[-1] == MOST_PAIRS and max(LADDERS) < EXPERIMENTS
    seen: list[int] = []

    def run(series: Series) -> Iterator[Bout]:
        seen.append(series.seed)
        return iter(())

    monkeypatch.setattr(Series, "run", run)
    monkeypatch.setattr(ladder, "pair_score", lambda *given: 0.5)
    ladder._batch("khet", ("random", "random"), range(MOST_PAIRS))
    assert set(seen) == LADDERS


def test_a_tournament_draws_none_of_them() -> None:
    plan = Plan("connect_four", ("random", "greedy"), matches=50_000)
    assert not LADDERS & {plan.series(0, (0, 1), 0).seed + pair for pair in range(25_000)}


def test_a_comparison_draws_none_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    plans: list[dict[str, Any]] = []
    monkeypatch.setattr(comparing, "randbits", lambda bits: 0)
    monkeypatch.setattr(comparing, "plan_of", lambda *given, **named: plans.append({"given": given, **named}))
    monkeypatch.setattr(comparing, "play", lambda *given, **named: 0)
    comparing.compare("random", "greedy", game="khet")
    assert str(EXPERIMENTS) in str(plans)


def test_a_tuning_draws_none_of_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nor does its proof; the steps of a usual one would come past the ladder's first."""
    seen: set[int] = set()

    def duel(self: Arena, series: Series, one: list[int], two: list[int]) -> list[float]:
        seen.update(series.seed + number // 2 for number in range(series.games))
        return [0.75] * (series.games // 2)

    monkeypatch.setattr(Arena, "duel", duel)
    tune("khet", steps=200, games=64, proof=400, player="random", log=tmp_path / "log.json", gear="interpreted")
    assert len(seen) == 200 * 32 + 200 and not seen & LADDERS
