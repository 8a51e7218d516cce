"""Levels against opponents of style, and the maps that the ladder is climbed on."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import styles
from benchmarks.styles import MAPS, Start

from quincunx.core.levels import Ground
from quincunx.games import cards, load
from quincunx.match import Outcome
from quincunx.tournament.ladder import ground_of
from quincunx.tournament.series import Series
from quincunx.tournament.starts import MOST_PAIRS, of_experiment, of_ladder, of_styles


@pytest.mark.parametrize(("game", "jobs"), [("chartichaud", 2), ("casus_belli", 1)])
def test_levels_meet_every_style_and_go_on_where_they_stood(game: str, jobs: int, tmp_path: Path) -> None:
    file, page = tmp_path / "styles.json", tmp_path / "page.md"
    wanted = [row for row in styles.rows(game, ["small"], [1]) if row.style in ("rush", "harvest")]
    styles.measure(wanted, 1, 60.0, aside=False, file=file, jobs=jobs)
    first = {row.style: row.starts for row in styles.kept(file).values()}
    styles.measure([*styles.rows(game, ["small"], [1])][:1], 2, 60.0, aside=False, file=file)
    again = {row.style: row.starts for row in styles.kept(file).values()}
    assert {*first} == {"rush", "harvest"} and again["harvest"] == first["harvest"]
    assert len(again["rush"]) == 2 and again["rush"][:1] == first["rush"]
    page.write_text(f"before\n{styles.BEGIN}old\n{styles.END}\nafter\n", encoding="utf-8")
    styles.document(page, styles.tables([*styles.kept(file).values()]))
    text = page.read_text(encoding="utf-8")
    assert "old" not in text and text.startswith("before") and text.endswith("after\n")
    assert f"{MAPS[game]['small'].words} | 1 | {styles.cell(styles.kept(file)[wanted[0].identity])} |" in text


def test_two_who_measure_at_once_erase_nothing_and_count_no_start_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "styles.json"
    first, second = [*styles.rows("chartichaud", ["small"], [1])][:2]

    def meanwhile(row: styles.Row, number: int, aside: bool) -> Start:
        for other in (first, second):
            styles.note(file, other, Start(0, 0.25, 3.0))
        return Start(number, 0.25, 3.0)

    monkeypatch.setattr(styles, "play", meanwhile)
    styles.measure([first], 1, 60.0, aside=False, file=file)
    assert {(row.style, *row.starts, row.seconds) for row in styles.kept(file).values()} == {
        (first.style, 0.25, 3.0),
        (second.style, 0.25, 3.0),
    }


def test_who_writes_is_alone_with_the_file(tmp_path: Path) -> None:
    file = tmp_path / "styles.json"
    wanted = [*styles.rows("chartichaud", ["small"], [1, 2, 3, 4])]
    with ThreadPoolExecutor(len(wanted)) as writers:
        assert len([*writers.map(lambda row: styles.note(file, row, Start(0, 1.0, 1.0)), wanted)]) == len(wanted)
    assert len(styles.kept(file)) == len(wanted)


def test_what_was_measured_of_other_players_is_forgotten(tmp_path: Path) -> None:
    file = tmp_path / "styles.json"
    row = next(styles.rows("chartichaud", ["small"], [1]))
    row.starts, row.made = [1.0], "older"
    file.write_bytes(msgspec.json.encode([row]))
    assert not styles.kept(file)


def test_against_three_a_place_counts_by_those_beaten() -> None:
    series = Series("casus_belli", ("level:1", "rush", "rush", "rush"), options={"seats": 4})
    outcome = Outcome("played", [4, 9, 4, 1], [2, 1, 2, 4])
    assert styles.beaten(series, outcome, 0) == 0.5
    assert styles.beaten(series, outcome, 3) == 1.0


def test_every_ground_can_be_played() -> None:
    for game, places in MAPS.items():
        for place in places.values():
            world = load(game, "interpreted").new(place.ground.preset, setup=place.ground.setup, **place.ground.options)
            assert world.game.seats(world) == place.seats


def test_starts_of_styles_are_nobody_else_s() -> None:
    mine = {of_styles(pair) for pair in range(1000)}
    assert not mine & {of_ladder(pair) for pair in range(MOST_PAIRS)} and max(mine) < of_experiment(0)


# -- the ladder's maps -----------------------------------------------------------------------------------------------


def test_every_fourth_pair_of_the_ladder_is_on_a_real_map() -> None:
    for card in cards():
        game = load(card.id, "interpreted")
        grounds = [ground_of(game, pair) for pair in range(16)]
        assert grounds[0] == Ground(game.duel)
        for ground in grounds:
            assert game.new(ground.preset, setup=ground.setup, seed=1, **ground.options)
        if game.duel:
            assert {repr(ground) for ground in grounds[3::4]} == {repr(ground) for ground in game.real}
            assert all(ground == grounds[0] for k, ground in enumerate(grounds) if k % 4 != 3)
        else:
            assert all(ground == Ground() for ground in grounds)
