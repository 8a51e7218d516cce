"""Plans of tournaments: what a file says is what is played, what cannot be played is refused in words, and rules of
adjudication end a match as they say."""

from __future__ import annotations

from math import ceil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from quincunx.cli.plans import plan_of
from quincunx.core.words import Refused
from quincunx.games import load
from quincunx.match import Happened, Match, Played, decode, encode, replay
from quincunx.players import make
from quincunx.players.table import Adjudication, Table
from quincunx.tournament.plan import EXTENSIONS, OPENING, Plan, Start, Time, read_plan, written_plan
from quincunx.tournament.playing import Task, perform, unpacked
from quincunx.tournament.results import Result

WHOLE = """
name = "Autumn cup"
game = "khet"
players = ["level:3", { name = "Rusher", player = "program:sh rusher.sh" }, "random"]
format = "swiss"
rounds = 2
matches = 4
seed = 11
opening = 2

[[starts]]
name = "old"
setup = "classic"

[[starts]]
name = "fixed"
setup = "dynasty"
options = { pharaoh_rotates = false }

[time]
turn = 0.5
late = "fallback"

[adjudication]
actions = 200
by = "draw"
"""


def written(tmp_path: Path, text: str) -> Plan:
    (tmp_path / "cup.toml").write_text(text, encoding="utf-8")
    return read_plan(tmp_path / "cup.toml")


def plan(**said: Any) -> Plan:
    return msgspec.convert({"game": "connect_four", "players": ["random", "greedy"], **said}, Plan)


def test_a_plan_is_read_as_it_is_written(tmp_path: Path) -> None:
    found = written(tmp_path, WHOLE)
    found.check()
    assert [e.name for e in found.entrants] == ["level:3", "Rusher", "random"]
    assert found.starts[1] == Start("fixed", None, "dynasty", {"pharaoh_rotates": False})
    assert found.time == Time(turn=0.5, late="fallback") and found.adjudication == Adjudication(200, by="draw")
    series = found.series(7, (2, 0), 1)
    assert (series.players, series.names, series.setup) == (("random", "level:3"), ("random", "level:3"), "dynasty")
    assert (series.opening, series.limits.turn, series.late) == (2, 0.5, "fallback")


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    whole = written(tmp_path, WHOLE)
    more = {"seats": 2, "challengers": 2, "sprt": "elo0=0 elo1=5", "time": {"isolate": True, "memory": 64}}
    quoted = [{"name": 'a "b" \\ é', "player": "random"}, "greedy"]
    for each in (whole, plan(name="x"), plan(name="x", players=quoted, starts=[{"name": "s"}]), plan(name="y", **more)):
        assert written(tmp_path, written_plan(each)) == each and each.id == written(tmp_path, written_plan(each)).id
    assert written(tmp_path, written_plan(plan())) == plan(name="connect_four")


def test_plans_that_say_the_same_are_the_same_tournament() -> None:
    both = [{"a": 1, "b": 2}, {"b": 2, "a": 1}]
    one, two = (plan(starts=[{"options": options}]).id for options in both)
    assert one == two and one.startswith("connect-four-")
    assert plan().id == plan(players=[{"player": "random"}, {"player": "greedy", "name": "greedy"}]).id
    assert plan().id == "connect-four-b97877ccaf"  # for ever: a tournament that was begun is found again
    others = [plan(seed=1), plan(players=["greedy", "random"]), plan(matches=4), plan(name="Été 2027 !")]
    assert len({each.id for each in [plan(), *others]}) == 5
    assert others[-1].id.startswith("t-2027-")


@pytest.mark.parametrize(
    "text, said",
    [
        ("game = 3\nplayers = []", "`str`"),
        ('game = "khet"', "players"),
        ('game = "khet"\nplayers = ["a"]\nround = 3', "round"),
        ('game = "khet"\nplayers = ["a"]\nformat = "league"', "league"),
        ('game = "khet"\nplayers = [{ name = "a" }]', "player"),
        ('game = "khet"\nplayers = []\n[time]\nturns = 3', "turns"),
        ('game = "khet"\nplayers = []\n[adjudication]\nby = "luck"', "luck"),
        ("\0", "line 1"),
    ],
)
def test_a_file_that_is_no_plan_is_refused_with_its_name_and_what_is_wrong(
    tmp_path: Path, text: str, said: str
) -> None:
    with pytest.raises(Refused) as refused:
        written(tmp_path, text)
    assert refused.value.code == "not_a_plan"
    assert all("cup.toml" in words and said in words for words in (refused.value.words.fr, refused.value.words.en))


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"nowhere\.toml"):
        read_plan(tmp_path / "nowhere.toml")


THREE = ["random", "greedy", "level:1"]
TWO_STARTS = [{"name": "a"}, {"name": "b"}]


@pytest.mark.parametrize(
    "wrong, said",
    [
        ({"matches": -1}, "matches"),
        ({"players": ["random"]}, "players"),
        ({"rounds": -2}, "rounds"),
        ({"rounds": 3}, "rounds = 3"),
        ({"challengers": 2, "format": "gauntlet"}, "challengers"),
        ({"challengers": 2, "players": ["random", "greedy", "level:1"]}, "challengers = 2"),
        ({"seed": -1}, "seed"),
        ({"opening": 101}, "opening"),
        ({"starts": []}, "starts"),
        ({"seats": 3}, "seats"),
        ({"time": {"turn": 0}}, "time.turn"),
        ({"time": {"start": -1}}, "time.start"),
        ({"time": {"memory": 0}}, "time.memory"),
        ({"adjudication": {"actions": -1}}, "actions=-1"),
        ({"adjudication": {"lead": 3, "during": 0}}, "during=0"),
        ({"players": ["random", "random"]}, "random"),
        ({"players": ["random", {"name": "x" * 61, "player": "greedy"}]}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"players": ["random", "nobody"]}, "nobody"),
        ({"game": "chess"}, "chess"),
        ({"starts": [{"options": {"colour": 1}}]}, "colour"),
        ({"starts": [{"preset": "wild"}]}, "wild"),
        ({"matches": 2, "starts": TWO_STARTS}, "b"),
        ({"sprt": "elo0=0 elo1=10", "players": ["random", "greedy", "level:1"]}, "sprt"),
        ({"game": "casus_belli", "seats": 3, "players": ["random", "greedy"]}, "3"),
        ({"game": "casus_belli", "seats": 3, "players": THREE, "format": "knock_out"}, "knock_out"),
        ({"game": "casus_belli", "starts": [{"name": "a"}, {"name": "b", "options": {"seats": 3}}]}, "3"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_refused_in_words(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(Refused) as refused:
        plan(**wrong).check()
    assert said in refused.value.words.en and said in refused.value.words.fr


@pytest.mark.parametrize(
    "right",
    [
        {},
        {"matches": 3, "starts": TWO_STARTS},
        {"format": "knock_out"},
        {"format": "swiss", "rounds": 1},
        {"game": "casus_belli", "players": ["random", "greedy", "level:1"], "seats": 3, "rounds": 2},
        {"players": ["random", "program:sh " + "x" * 90]},
    ],
)
def test_what_can_be_played_is_not(right: dict[str, Any]) -> None:
    plan(**right).check()


def test_matches_of_a_plan_rotate_chairs_and_starts() -> None:
    text = msgspec.json.encode(plan(starts=[{"name": "a"}, {"name": "b", "options": {"misere": True}}], matches=6))
    done = perform(Task(text, 0, (0, 1), tuple(range(6))))
    results = [msgspec.json.decode(each.result, type=Result) for each in done.matches]
    assert [(r.players[0], r.start, r.pair) for r in results] == [
        ("random", "a", 0), ("greedy", "a", 0), ("random", "b", 1), ("greedy", "b", 1), ("random", "a", 2),
        ("greedy", "a", 2),
    ]  # fmt: skip
    records = [unpacked(each.record) for each in done.matches]
    assert [record.options["misere"] for record in records] == [False, False, True, True, False, False]
    for each, record in zip(results, records, strict=True):
        played = replay(record)
        assert played.outcome is not None and tuple(played.outcome.ranks) == each.ranks
        assert [seat.name for seat in record.seats] == list(each.players) and sum(each.choices) == played.length


def test_the_same_task_gives_the_same_matches_whoever_performs_it() -> None:
    text = msgspec.json.encode(plan())
    whole, apart = perform(Task(text, 3, (1, 0), (0, 1, 5))), perform(Task(text, 3, (1, 0), (5,)))
    one, two = (unpacked(each.matches[-1].record) for each in (whole, apart))
    assert [(e.seat, e.action) for e in one.entries] == [(e.seat, e.action) for e in two.entries]  # type: ignore[union-attr]
    other = unpacked(perform(Task(text, 4, (1, 0), (5,))).matches[0].record)
    assert [e.action for e in one.entries] != [e.action for e in other.entries]  # type: ignore[union-attr]


@pytest.mark.parametrize("game, seats", [("cultist", 2), ("casus_belli", 3)])
def test_every_chair_has_the_same_start_and_dice_and_every_pairing_others(game: str, seats: int) -> None:
    """The opening is played by nobody, so it is the same as long as the start and the dice are."""
    players = ["random", "greedy", {"name": "other", "player": "random"}]
    more: dict[str, Any] = {"starts": [{"options": {"neutrals": "wander"}}]} if game == "cultist" else {"seats": seats}
    whole = plan(game=game, players=players, opening=12, matches=2 * seats, **more)
    text = msgspec.json.encode(whole)

    def begun(pairing: int, number: int) -> tuple[Any, ...]:
        who = tuple((pairing + k) % 3 for k in range(seats))
        record = unpacked(perform(Task(text, pairing, who, (number,))).matches[0].record)
        assert isinstance(record.seats[0].after, int) and record.seats[0].after >= 12
        entries = [each for each in record.entries[: record.seats[0].after] if isinstance(each, Played)]
        assert game != "cultist" or any(each.seat == -1 for each in entries), "no dice fell"
        return record.start, *((each.seat, each.action) for each in entries)

    pairs = [[begun(pairing, seats * pair + chair) for chair in range(seats)] for pairing in (0, 1) for pair in (0, 1)]
    assert all(len(set(pair)) == 1 for pair in pairs)
    assert len({pair[0] for pair in pairs}) == len(pairs)


@pytest.mark.parametrize("format", ["round_robin", "knock_out"])
def test_no_two_pairings_draw_from_the_same_seeds(format: str) -> None:
    """However long a knock-out pairing is prolonged."""
    whole = plan(players=["random", "greedy", "level:1", "level:2"], format=format, matches=5)
    pairs = ceil((whole.matches + 2 * EXTENSIONS) / 2)
    drawn = [whole.series(number, (0, 1), 0).seed + pair for number in range(6) for pair in range(pairs)]
    assert len(set(drawn)) == len(drawn) and drawn[0] == whole.seed


# -- matches that would repeat each other ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "said, opening",
    [
        ({"matches": 20}, OPENING),  # Connect Four always begins alike, and has no dice
        ({"matches": 2}, 0),  # once from each chair: nothing is repeated
        ({"matches": 0}, 0),
        ({"matches": 20, "opening": 0}, 0),  # who says so has it
        ({"matches": 20, "opening": 2}, 2),
        ({"matches": 20, "game": "garden"}, 0),  # dice
        ({"matches": 20, "game": "khet"}, OPENING),
        ({"matches": 20, "game": "chartichaud"}, 0),  # another map for each seed
    ],
)
def test_matches_that_would_all_be_alike_have_an_opening_unless_the_plan_says_otherwise(
    tmp_path: Path, said: dict[str, Any], opening: int
) -> None:
    game, given = said.get("game", "connect_four"), {k: v for k, v in said.items() if k != "game"}
    players = ["random", "greedy"]
    lines = [f"game = {game!r}", f"players = {players}", *(f"{key} = {value}" for key, value in given.items())]
    assert written(tmp_path, "\n".join(lines)).opening == opening
    assert plan_of([game, *players], given, {}, None, [], []).opening == opening
    assert plan(**said).repeats(2) == (opening == OPENING or said == {"matches": 20, "opening": 0})


# -- adjudication ------------------------------------------------------------------------------------------------------


def judged(game: str, rule: Adjudication, seed: int = 1) -> Match:
    bound = load(game, "interpreted")
    match = Match(bound, seed=seed, dice=seed)
    players = [make("random", bound, seat) for seat in range(bound.seats(match.world))]
    Table(match, players, adjudication=rule).play()
    return match


@pytest.mark.parametrize("by, ranks", [("draw", [1, 1]), ("score", None)])
def test_a_match_that_is_too_long_is_judged(by: Any, ranks: list[int] | None) -> None:
    match = judged("cultist", Adjudication(actions=9, by=by))
    last = match.entries[-1]
    assert isinstance(last, Happened) and (last.event, last.reason) == ("adjudicated", by) and match.length == 9
    assert match.outcome is not None and match.outcome.reason == "adjudicated"
    scores = match.game.scores(match.world)
    assert match.outcome.scores == scores
    assert match.outcome.ranks == (ranks or [1 + sum(other > mine for other in scores) for mine in scores])
    assert "jugée" in match.why().fr and "adjudicated" in match.why().en  # type: ignore[union-attr]
    again = replay(decode(encode(match.record())))
    assert again.outcome == match.outcome and again.why() == match.why()


def test_a_lead_that_lasts_decides_and_not_sooner() -> None:
    rule = Adjudication(lead=2, during=6)
    match = judged("cultist", rule)
    assert match.outcome is not None and match.outcome.reason == "adjudicated"
    leaders = []
    for number in range(1, match.length + 1):
        scores = match.game.scores(match.world_at(number))
        leaders.append(max((0, 1), key=scores.__getitem__) if abs(scores[0] - scores[1]) >= 2 else None)
    *_, first = [k for k in range(len(leaders)) if leaders[k] != leaders[-1]] or [-1]
    assert leaders[-1] is not None and len(leaders) - 2 - first == rule.during
    assert match.outcome.ranks[leaders[-1]] == 1


def test_a_match_that_ends_by_itself_is_not_judged() -> None:
    match = judged("connect_four", Adjudication(actions=43))
    assert match.outcome is not None and match.outcome.reason == "played"
    assert not any(isinstance(entry, Happened) for entry in match.entries)


def test_a_judged_record_that_was_edited_is_noticed() -> None:
    record = judged("cultist", Adjudication(actions=9, by="draw")).record()
    assert isinstance(record.entries[-1], Happened)
    record.entries[-1].reason = "score"
    scores = record.outcome.scores if record.outcome else []
    if len(set(scores)) > 1:
        with pytest.raises(Refused):
            replay(record)
