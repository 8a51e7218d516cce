"""The benchmark: fair turns, ratios of medians, plain misses; and C++ written by hand plays our very games."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from shutil import which
from xml.etree import ElementTree

import pytest
from rich.console import Console

sys.path.insert(0, str(Path(__file__).parents[1]))

import benchmarks.run as bench
import benchmarks.thought as thought
from benchmarks.batches import KILOBYTES, STEPS, TIMES, Batches, Memory
from benchmarks.compiling import PROCESSOR, FirstMove, Rules
from benchmarks.contest import CLOCK, Figures, Missing, Result, Row, cells, kept, readable, run, spread, table, tables
from benchmarks.ours import Start, in_the_middle, seals
from benchmarks.plot import Curve, draw, round_top
from benchmarks.programs import ABOVE, LONGEST, TURN, WHOLE, InProcess, Pipes, War, war
from benchmarks.rows import agreements, rows
from benchmarks.scaling import SIDES, Growth, crowd, slope, verdict
from benchmarks.servers import Served, echo
from benchmarks.think_time import MEDIAN, WORST, Kept

from quincunx.core.random import below, seeded
from quincunx.games import cards, load
from quincunx.players.budget import Budget
from quincunx.players.mcts import MctsPlayer


@dataclass
class Scripted:
    """A contestant whose figures are known; it notes when it was called."""

    name: str
    figures: list[float]
    calls: list[str] = field(default_factory=list)
    cores: int = 0
    reason: str = ""

    def prepare(self) -> None:
        if self.reason:
            raise Missing(self.reason)
        self._left: Iterator[float] = iter(self.figures)

    def measure(self) -> Figures:
        self.calls.append(self.name)
        return {"moves/s": next(self._left), "s": 1.0, "µs": 0.5}


def quiet(_: str) -> None: ...


def test_contestants_take_turns_and_are_measured_once_a_round() -> None:
    calls: list[str] = []
    a, b, c = (Scripted(name, [1.0] * 3, calls) for name in "abc")
    run([Row("one", "moves/s", a, b), Row("two", "moves/s", a, c), Row("three", "s", a)], 3, quiet)
    assert calls == list("abcabcabc")


def test_a_long_row_is_measured_in_fewer_rounds() -> None:
    a, b = Scripted("a", [1, 2, 3]), Scripted("b", [1])
    short, long = run([Row("short", "moves/s", a), Row("long", "moves/s", b, rounds=1)], 3, quiet)
    assert (short.ours, long.ours) == ([1, 2, 3], [1])


def test_the_value_is_the_ratio_of_medians_and_not_the_median_of_ratios() -> None:
    (result,) = run([Row("row", "moves/s", Scripted("a", [1, 9, 10]), Scripted("b", [1, 3, 2]))], 3, quiet)
    assert result.value == 4.5


@pytest.mark.parametrize(
    "ours, theirs, bar, at_most, verdict",
    [
        (8.0, 1.0, 8.0, False, "met"),
        (7.9, 1.0, 8.0, False, "MISSED"),
        (0.6, None, 0.7, True, "met"),
        (0.8, None, 0.7, True, "MISSED"),
        (0.8, 1.0, None, False, ""),
    ],
)
def test_verdicts(ours: float, theirs: float | None, bar: float | None, at_most: bool, verdict: str) -> None:
    other = None if theirs is None else Scripted("b", [theirs])
    (result,) = run([Row("row", "moves/s", Scripted("a", [ours]), other, bar=bar, at_most=at_most)], 1, quiet)
    assert result.verdict == verdict


def test_a_peer_that_cannot_be_installed_is_missing_and_the_rest_goes_on() -> None:
    ours = Scripted("ours", [5.0, 5.0])
    gone, there = Scripted("gone", [], reason="no such package"), Scripted("there", [1.0, 1.0])
    absent, present = run([Row("x", "moves/s", ours, gone, bar=2), Row("y", "moves/s", ours, there, bar=2)], 2, quiet)
    assert (absent.verdict, absent.value, absent.missing) == ("missing", None, "gone: no such package")
    assert (present.verdict, present.value, present.missing) == ("met", 5.0, "")


def test_the_table_says_plainly_what_was_missed_and_what_is_missing() -> None:
    gone = Scripted("gone", [], reason="no such package")
    slow = Row("slow", "moves/s", Scripted("a", [2e6, 4e6, 3e6]), Scripted("b", [1e6] * 3), bar=8)
    page = StringIO()
    results = run([slow, Row("x", "moves/s", Scripted("a", [1.0] * 3), gone)], 3, quiet)
    Console(width=120, file=page).print(table(results))
    lines = page.getvalue().splitlines()
    (missed,) = (line.split() for line in lines if "slow" in line)
    assert missed == ["slow", "3", "M", "±33%", "1", "M", "±", "0%", "moves/s", "3×", "≥", "8×", "MISSED"]
    assert any("missing" in line for line in lines)


def test_every_round_is_kept() -> None:
    results: list[Result] = run([Row("row", "moves/s", Scripted("a", [3, 1]), Scripted("b", [1, 1]), bar=2)], 2, quiet)
    (row,) = json.loads(json.dumps(kept(results)))
    assert row["ours"] == {"who": "a", "rounds": [3, 1]} and row["theirs"] == {"who": "b", "rounds": [1, 1]}
    assert (row["value"], row["bar"], row["verdict"]) == (2.0, 2, "met")


def test_a_run_of_some_rows_takes_their_place_and_leaves_the_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    a, b, c, gone = (Row(name, "s", Scripted("x", [])) for name in ("a", "b", "c", "gone"))
    monkeypatch.setattr(bench, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr(bench, "rows", lambda: [a, b, c])
    monkeypatch.setattr(bench, "machine", lambda: {"measured": "yesterday"})
    bench.keep([Result(a, [1.0]), Result(c, [2.0]), Result(gone, [3.0])], some=False)
    monkeypatch.setattr(bench, "machine", lambda: {"measured": "today"})
    bench.keep([Result(a, [], missing="no compiler"), Result(c, [4.0]), Result(b, [5.0])], some=True)
    found = json.loads((tmp_path / "results.json").read_text("utf-8"))
    assert found["machine"]["measured"] == "yesterday"
    days = [(row["name"], row["value"], row.get("on", found)["machine"]["measured"]) for row in found["rows"]]
    assert days == [("a", 1, "yesterday"), ("b", 5, "today"), ("c", 4, "today"), ("gone", 3, "yesterday")]
    bench.keep([Result(a, [6.0])], some=False)
    assert len(json.loads((tmp_path / "results.json").read_text("utf-8"))["rows"]) == 1


@pytest.mark.parametrize("figure, text", [(94_123_456, "94.1 M"), (1234.0, "1.23 k"), (0.62, "0.62"), (2e9, "2 G")])
def test_figures_read_well(figure: float, text: str) -> None:
    assert readable(figure) == text


def test_the_spread_is_that_of_the_farthest_round() -> None:
    assert spread([90.0, 100.0, 130.0]) == pytest.approx(0.3)


def test_another_unit_of_theirs_and_one_more_of_ours() -> None:
    a, b = Scripted("a", [6.0]), Scripted("b", [3.0])
    ratio, alone = run([Row("x", "s", a, b, their_unit="µs"), Row("y", "moves/s", a, beside="s")], 1, quiet)
    assert (ratio.value, ratio.ours, ratio.theirs) == (2.0, [1.0], [0.5])
    assert (alone.ours, alone.beside, cells(alone)[2]) == ([6.0], [1.0], "1 s")


@pytest.mark.parametrize(
    "figure, at_most, oriented", [(2.0, False, "met"), (1.9, False, "missed"), (2.1, True, "missed")]
)
def test_orientation_is_our_own_figure_and_no_bar(figure: float, at_most: bool, oriented: str) -> None:
    row = Row("row", "moves/s", Scripted("a", [figure]), Scripted("b", [100.0]), orientation=2, at_most=at_most)
    (result,) = run([row], 1, quiet)
    assert (result.oriented, result.verdict) == (oriented, "")
    page = StringIO()
    for shown in tables([result]):
        Console(width=120, file=page).print(shown)
    bars, orientation = page.getvalue().split("Orientation")
    assert oriented not in bars and oriented in orientation.split()


def test_every_game_has_its_rows() -> None:
    names = [row.name for row in rows()]
    for card in cards():
        for what in ("playouts", "playouts, interpreted", "observe", "imagine", "clone"):
            assert f"{card.name.en}: {what}" in names
        assert {f"{card.name.en}: a batch", f"{card.name.en}: memory of a match"} <= set(names)
        for what in ("its rules, compiled anew", "all of it, compiled anew", "the first move, from the cache"):
            assert f"{card.name.en}: {what}" in names


def test_a_game_that_was_written_by_hand_is_held_against_that() -> None:
    names = [row.name for row in rows()]
    by_hand = [card.name.en for card in cards() if f"{card.name.en} playouts, C++ by hand" in names]
    assert by_hand == ["Chartichaud", "Connect Four", "Cultist", "Garden Tensions", "Khet"]


def test_a_first_move_is_timed_with_an_empty_cache_and_with_a_full_one() -> None:
    anew, kept_code = Rules("connect_four").measure(), FirstMove("connect_four")
    kept_code.prepare()
    assert anew[PROCESSOR] > kept_code.measure()[PROCESSOR] > 0


def test_a_batch_is_weighed_and_timed() -> None:
    weighed = Memory("connect_four").measure()
    assert 0.9 < weighed[TIMES] < 3 and weighed[KILOBYTES] > 0.1
    timed = Batches("connect_four")
    timed.prepare()
    assert timed.measure()[STEPS] > 0


@pytest.mark.parametrize("id", [card.id for card in cards()])
def test_the_middle_of_a_game_is_in_the_middle(id: str) -> None:
    game, world = in_the_middle(Start(id))
    assert game.turn(world) >= 0 and game.digest(world) != game.digest(game.new())


@pytest.mark.parametrize("order", ["together", "moves_first"])
def test_seals_are_counted(order: str) -> None:
    """A whole random match on the smallest map, by hand."""
    game, random, sealed = load("casus_belli", "interpreted"), seeded(3), 0
    world = game.new(setup="pit", seats=2, order=order)
    while not game.over(world):
        actions = game.legal(world)
        action = actions[below(random, len(actions))] if below(random, 3) else actions[-1]
        sealed += game.text(world, game.turn(world), action) == "seal"
        game.apply(world, game.turn(world), action)
    assert seals(game.terms(world)) == sealed


@pytest.mark.parametrize("power", [-0.5, 0.0, 1.0, 1.5])
def test_the_slope_is_the_exponent(power: float) -> None:
    assert slope([(x, 7 * x**power) for x in (2, 3, 10, 100)]) == pytest.approx(power)


def test_growing_faster_than_the_work_is_said() -> None:
    assert [verdict(e) for e in (-0.3, 0.0, 0.3)] == ["falls", "flat", "rises"]


def test_a_rise_at_the_end_is_not_averaged_away() -> None:
    growth = Growth("game", "curve", "players", 1, "order", {})
    growth.rounds = {2: [2.4], 3: [2.4], 5: [2.4], 10: [2.4], 20: [2.4], 50: [2.8], 100: [3.3]}
    all_points, largest = growth.exponents()
    assert verdict(all_points) == "flat" and verdict(largest) == "rises"
    assert growth.curve().note.endswith("rises")


def test_a_crowd_grows_with_the_area() -> None:
    game = load("chartichaud", "interpreted")
    for side in SIDES:
        s = game.state(game.from_setup(game.new().options, crowd(side)))
        for seat in range(2):
            assert s.forces[seat] == pytest.approx(side * side / 5, abs=1)


@pytest.mark.parametrize(
    "largest, top", [(1.4, (2, 4)), (150, (200, 4)), (3.6, (4, 4)), (97, (150, 3)), (0.02, (0.03, 3))]
)
def test_axes_end_on_round_numbers(largest: float, top: tuple[float, int]) -> None:
    assert round_top(largest) == pytest.approx(top)


def test_a_plot_is_xml_and_keeps_its_points_inside() -> None:
    plot = ElementTree.fromstring(draw("A < B", "", [Curve("a", "x & y", "µs", [(2, 1.0), (10, 3.0), (100, 2.0)])]))
    dots = [tag for tag in plot.iter() if tag.tag.endswith("circle")]
    assert len(dots) == 3
    assert all(0 < float(dot.attrib["cx"]) < float(plot.attrib["width"]) for dot in dots)
    heights = [float(dot.attrib["cy"]) for dot in dots]
    assert heights[1] < heights[2] < heights[0] < float(plot.attrib["height"])


def test_programs_have_their_rows_with_their_bars() -> None:
    bars = {row.name: (row.bar, row.at_most) for row in rows()}
    for game in ("Connect Four", "Cultist", "Khet"):
        assert bars[f"{game}: a move of a program over pipes"] == (150, True)
    assert bars["Cultist: 1,000 matches between two random players"] == (3, True)
    for seats in (10, 30, 100):
        assert bars[f"Casus Belli: a war of {seats} programs"] == (1, True)


def test_a_program_and_a_player_are_timed_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.programs.MATCHES", 2)
    found = Pipes("connect_four").measure()
    assert 0 < found[ABOVE] < found[WHOLE]


def test_every_turn_of_a_war_is_timed_and_one_that_nobody_could_finish_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("benchmarks.programs.LIMIT", 30.0)
    shown = load("casus_belli", "interpreted")
    world = shown.new()
    assert war(2, tmp_path)["turns"] == shown.show(shown.view(world, 0)).turns
    found = War(2).measure()
    assert 0 < found[TURN] <= found[LONGEST]
    monkeypatch.setattr("benchmarks.programs.GENERAL", "raise SystemExit(3)")
    with pytest.raises(Missing, match="programs failed: exited"):
        War(2).measure()


def test_matches_in_process_are_counted_in_processor_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.programs.RANDOM_MATCHES", 2)
    found = InProcess("cultist").measure()
    assert 0 < found[PROCESSOR] < found["s" + CLOCK] * 2


def test_lateness_is_measured_on_a_busy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.think_time.TURNS", 3)
    kept = Kept("connect_four", "mcts", 0.001)
    kept.prepare()
    found = kept.measure()
    assert found[MEDIAN] <= found[WORST]
    assert found[WORST] >= 0  # nobody comes before it is time


def test_starts_of_thought_are_draws_and_what_is_left_out_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Counter[str]()
    world = next(thought.balanced(found, plies=32))
    player = MctsPlayer(world.game, 1, Budget(simulations=20_000))
    player.choose(world.view(world.turn))
    assert not (player.info.proven and player.info.value in (0, 1))  # nobody wins by force
    assert found["draw"] == 1 and found["decided"] > 0
    monkeypatch.setattr(thought, "MOST_NODES", 20)
    monkeypatch.setattr(thought, "TRIED", 5)
    few = Counter[str]()
    drawn = list(thought.balanced(few))
    assert few.total() == 5 and few["unsolved"] > 0 and few["draw"] == len(drawn) == 0


def test_rows_have_names_of_their_own() -> None:
    names = [row.name for row in rows()]
    assert len(names) == len(set(names))


@pytest.mark.skipif(which("g++") is None, reason="there is no g++")
def test_cpp_written_by_hand_plays_the_same_games() -> None:
    """Moves and bytes of every final state of random games, perft counts, nodes and choice of alpha-beta."""
    for name, ours, theirs in agreements():
        assert ours == theirs, name


@pytest.mark.slow
def test_the_clients_play_on_a_server_that_does_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit of the generator: it asks what every server is asked, and its games end."""
    monkeypatch.setattr("benchmarks.servers.MATCHES", 4)
    assert Served("nothing", "quincunx", echo).measure()["moves"] > 4 * 7
