"""Puzzles: what is shipped can be read, shown and judged; some are verified again (`make puzzles` verifies all); and
the miner finds what is one, and nothing else."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
import pytest
from settled import IDS as GAMES

from quincunx.cli.app import run
from quincunx.core.words import Refused
from quincunx.games import Game, load
from quincunx.match import Match, encode
from quincunx.players.player import Player
from quincunx.puzzles.judging import LEAST, Judge
from quincunx.puzzles.mining import DEEPER, Miner, mine
from quincunx.puzzles.puzzle import Puzzle, find, id_of, line_of, read, shelf
from quincunx.puzzles.showing import asked, judged, solution
from quincunx.puzzles.sources import Played as Decision
from quincunx.puzzles.sources import held_back, positions

FEWEST = {"khet": 200, "cultist": 200, "garden": 200}  # elsewhere 50
REFUTED = [id for id in GAMES if any(puzzle.replies for puzzle in shelf(id))]
MATE = "xS2pSWkSaS4 4s\\5 6PSW1pSE1 10 pNE5s/2PNW 2S\\7 10 5AWKNS\\1XW silver 16"

OTHER_MATE = "xS2pSWkSaS1pSE2 4s\\5 6PSW3 pNE9 4S\\4PNW 10 3ANKNPNEs/3 6S\\2XW red 2"


@cache
def miner(id: str) -> Miner:
    return Miner(load(id, "compiled"))


# -- what is shipped ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", GAMES)
def test_there_are_enough_and_no_two_are_the_same(id: str) -> None:
    puzzles = shelf(id)
    assert len(puzzles) >= FEWEST.get(id, 50)
    assert len({puzzle.id for puzzle in puzzles}) == len(puzzles)
    assert len({puzzle.position for puzzle in puzzles}) == len(puzzles)
    ratings = [puzzle.rating for puzzle in puzzles]
    assert ratings == sorted(ratings) and 600 <= ratings[0] < 900 and ratings[0] + 200 < ratings[-1] < 2800


@pytest.mark.parametrize("id", GAMES)
def test_every_answer_may_be_played_and_is_written_as_the_game_writes_it(id: str) -> None:
    game = load(id)
    for puzzle in shelf(id):
        world = puzzle.world(game)
        action = game.parse(world, puzzle.seat, puzzle.answer)
        assert game.check(world, puzzle.seat, action) is None
        assert game.text(world, puzzle.seat, action) == puzzle.answer
        assert game.position(world) == puzzle.position and game.turn(world) == puzzle.seat
        assert puzzle.id == id_of(id, puzzle.position, puzzle.options)
        best, second = puzzle.chances
        assert best - second >= miner(id).terms.clear - 0.001
        listed = game.legal(world)
        assert puzzle.worths == () or len(puzzle.worths) == len(listed)
        assert puzzle.replies == "" or puzzle.replies.count("|") == len(listed) - 1


@pytest.mark.parametrize("id", GAMES)
def test_every_one_has_held_at_ten_times_the_nodes(id: str) -> None:
    """Says the file; `make puzzles` looks at all of them again, the next test at some."""
    assert [puzzle.id for puzzle in shelf(id) if puzzle.held < 10] == []


@pytest.mark.parametrize("id", GAMES)
def test_some_are_verified_again(id: str) -> None:
    puzzles = shelf(id)
    for puzzle in (puzzles[0], puzzles[len(puzzles) // 2]):
        assert miner(id).holds(puzzle, times=1), puzzle.id


@pytest.mark.parametrize("id", GAMES)
def test_a_right_and_a_wrong_try_are_answered_on_the_board(id: str) -> None:
    game = load(id)
    for puzzle in shelf(id)[::20]:
        question = asked(game, puzzle)
        right = judged(game, puzzle, puzzle.answer)
        assert right.right and right.scenes and right.scenes[0].action == puzzle.answer
        assert solution(game, puzzle).scenes == right.scenes
        other = next(text for text in question.legal if text != puzzle.answer)
        wrong = judged(game, puzzle, other)
        assert not wrong.right and wrong.scenes[0].action == other
        if puzzle.worths and wrong.chances:
            assert wrong.chances[0] < wrong.chances[1] == round(100 * puzzle.chances[0])


@pytest.mark.parametrize("id", REFUTED)
def test_wrong_tries_get_the_reply_that_was_found(id: str) -> None:
    game = load(id)
    answered = 0
    for puzzle in shelf(id)[::10]:
        for text in asked(game, puzzle).legal[:5]:
            scenes = judged(game, puzzle, text).scenes
            if text != puzzle.answer and len(scenes) > 1:
                answered += 1
                assert scenes[1].seat == 1 - puzzle.seat
    assert answered > 20


@pytest.mark.parametrize("id", GAMES)
def test_what_is_asked_does_not_tell_the_answer(id: str) -> None:
    puzzle = shelf(id)[3]
    question = msgspec.to_builtins(asked(load(id), puzzle))
    assert not {"answer", "line", "replies", "worths", "chances"} & question.keys()
    assert question["legal"].count(puzzle.answer) == 1


def test_what_is_no_action_or_no_puzzle_is_refused() -> None:
    puzzle = shelf("khet")[0]
    for text in ("nonsense", "A1-A2", ""):
        with pytest.raises(Refused):
            judged(load("khet"), puzzle, text)
    with pytest.raises(Refused) as refused:
        find("khet", "00000000")
    assert refused.value.code == "no_such_puzzle"


# -- judging and mining ---------------------------------------------------------------------------------------------


def test_a_win_at_once_is_found_and_a_quiet_start_is_no_puzzle() -> None:
    game = load("khet", "compiled")
    found = miner("khet").find(game.new(position=MATE))
    assert found is not None and game.text(game.new(position=MATE), 0, found[0]) == "G6-H7"
    made = miner("khet").puzzle(game.new(position=MATE), *found, {}, 0)
    assert (made.goal, made.answer, made.chances[0]) == ("win", "G6-H7", 1.0)
    assert miner("khet").find(game.new(setup="classic")) is None


def test_where_there_is_never_much_choice_a_puzzle_is_found_too() -> None:
    """Seven columns, and one of them wins: it threatens three times on end."""
    game = load("connect_four", "compiled")
    world = game.new(position="7/7/7/4r2/3yyr1/r2yyr1")
    found = miner("connect_four").find(world)
    assert found is not None and game.text(world, 0, found[0]) == "b"


def test_a_wrong_answer_does_not_hold() -> None:
    puzzle = next(puzzle for puzzle in shelf("khet") if puzzle.goal == "win")
    legal = asked(load("khet"), puzzle).legal
    other = next(text for text in legal if text != puzzle.answer)
    assert miner("khet").holds(puzzle, times=1)
    assert not miner("khet").holds(msgspec.structs.replace(puzzle, answer=other), times=1)


def test_the_best_rival_comes_first() -> None:
    game = load("khet", "compiled")
    judge = Judge(game)
    world = game.new(position=MATE)
    winning = game.parse(world, 0, "G6-H7")
    rivals = judge.rivals(game.view(world, 0), game.legal(world)[0], 20_000)
    assert rivals[0].action == winning and rivals[0].chance == 1.0
    assert len(rivals) == len(game.legal(world)) - 1


@pytest.mark.parametrize("id", GAMES)
def test_ten_times_the_effort_is_ten_times(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever numbers the efforts are: no player gets less than it is asked for."""
    judge, asked_for = Judge(load(id, "compiled")), list[int]()
    made = judge._thinker

    def thinker(effort: int) -> Player:
        asked_for.append(effort)
        return made(LEAST)

    monkeypatch.setattr(judge, "_thinker", thinker)
    seen = judge.game.view(shelf(id)[0].world(judge.game), shelf(id)[0].seat)
    effort = DEEPER * miner(id).terms.effort
    for times in (1, 10):
        judge.engine_choice(seen, times * effort)
    assert asked_for == [effort, 10 * effort]


def test_dice_count_as_often_as_they_fall() -> None:
    """The last attack of the last turn: who wins it wins the match."""
    game = load("garden", "compiled")
    empty = "gf1 gw2 sm1 ms2 ms1 / gs1 gm2 sky sf1 mw2 mm1 / gf2 sw1 sf2=A4 sm2=B3 pool sw1 gf2"
    empty += " / mm1 mw2 sf1 candy gm2 gs1 / ms1 ms2 barbecue gw2 gf1"
    tail = " | A stock=0 points=0 food=0 metal=0 stone=0 wood=0 | B stock=0 points=0 food=0 metal=0 stone=0 wood=0"
    world = game.new(position=f"{empty}{tail} | turn=20 player=A phase=conquest used=- dice=-")
    attack = game.parse(world, 0, "c3-c4")
    worth = Judge(game).worth(game.view(world, 0), attack, 2000)
    assert worth.chance > 0.74 - 0.01  # four dice against three win 74 times of 100, and then there is no enemy left


def test_a_decision_is_held_back() -> None:
    game = load("chartichaud")
    world = game.new(seed=71, width=9, height=7)
    turn = []
    for text in ("harvest 0,0", "move civilian 0,0 east", "end"):
        action = game.parse(world, 0, text)
        turn.append(Decision(game.clone(world), 0, action, 1))
        game.apply(world, 0, action)
    first, second = held_back(game, turn)
    assert game.check(first, 0, turn[0].action) is None and game.check(second, 0, turn[1].action) is None
    assert game.check(second, 0, turn[0].action) is not None  # the harvest is made already


def test_the_command_goes_on_where_it_stood(tmp_path: Path) -> None:
    """From records, which are quickly looked through."""
    game, files = load("khet", "compiled"), []
    for n, (position, action) in enumerate([(MATE, "G6-H7"), (OTHER_MATE, "A5-A4")]):
        files.append(tmp_path / f"{n}.json")
        files[-1].write_bytes(encode(Match(game, position=position).play(action).record()))
    file = str(tmp_path / "found.jsonl")
    assert run(["puzzles", "mine", "khet", str(files[0]), "--file", file]) == 0
    assert [(puzzle.position, puzzle.answer) for puzzle in read(Path(file))] == [(MATE, "G6-H7")]
    assert run(["puzzles", "mine", "khet", *map(str, files), "--file", file, "--count", "2"]) == 0
    first, second = read(Path(file))
    assert (first.answer, second.position, second.answer) == ("G6-H7", OTHER_MATE, "A5-A4")
    assert run(["puzzles", "mine", "khet", *map(str, files), "--file", file, "--count", "2"]) == 0
    assert read(Path(file)) == [first, second]


def test_the_command_verifies_and_takes_out_what_does_not_hold(tmp_path: Path) -> None:
    right = next(puzzle for puzzle in shelf("khet") if puzzle.goal == "win")
    wrong = msgspec.structs.replace(
        right, answer=next(a for a in asked(load("khet"), right).legal if a != right.answer)
    )
    file = tmp_path / "some.jsonl"
    file.write_text(line_of(wrong) + line_of(right))
    command = ["puzzles", "verify", "khet", "--times", "1", "--file", str(file)]
    assert run(command) == 1
    assert run([*command, "--prune"]) == 0
    assert [(puzzle.id, puzzle.answer) for puzzle in read(file)] == [(right.id, right.answer)]
    assert run(command) == 0


def test_that_a_puzzle_has_held_is_noted_and_need_not_be_found_out_twice(tmp_path: Path) -> None:
    right = msgspec.structs.replace(next(puzzle for puzzle in shelf("khet") if puzzle.goal == "win"), held=0)
    legal = asked(load("khet"), right).legal
    trusted = msgspec.structs.replace(right, answer=next(text for text in legal if text != right.answer), held=2)
    file = tmp_path / "some.jsonl"
    file.write_text(line_of(trusted) + line_of(right))
    command = ["puzzles", "verify", "khet", "--prune", "--file", str(file)]
    assert run([*command, "--times", "1", "--new"]) == 0
    assert [puzzle.held for puzzle in read(file)] == [2, 1]  # the first one was not looked at
    assert run([*command, "--times", "2", "--new"]) == 0
    assert [puzzle.held for puzzle in read(file)] == [2, 2]
    assert run([*command, "--times", "1"]) == 0
    assert [(puzzle.answer, puzzle.held) for puzzle in read(file)] == [(right.answer, 2)]
    assert run(["puzzles", "verify", "khet", "--file", str(tmp_path / "nothing")]) == 2
    assert run(["puzzles", "mine", "nothing"]) == 2


def positions_of(game: Game, number: int) -> list[str]:
    found: list[str] = []
    for match, world in positions(game, number, game.duel, ()):
        if match != number or len(found) > 20:
            return found
        found.append(game.position(world))
    return found


def test_the_same_match_again_is_the_same() -> None:
    game = load("cultist", "compiled")
    assert positions_of(game, 5) == positions_of(game, 5) != positions_of(game, 6)


def test_no_more_than_wanted_and_never_what_is_there() -> None:
    game = load("khet", "compiled")

    def found(have: list[Puzzle], wanted: int) -> list[Puzzle]:
        worlds = ((n, game.new(position=position)) for n, position in enumerate((MATE, OTHER_MATE)))
        return [each for each in mine(game, have, wanted, lambda: False, worlds) if isinstance(each, Puzzle)]

    first, second = found([], 9)
    assert found([], 1) == [first] and found([first], 2) == [second] and found([first, second], 9) == []


def test_where_all_decide_at_once_points_are_what_counts() -> None:
    """Nobody else near: of all orders, only the one that kills brings a point."""
    game = load("casus_belli", "compiled")
    around = (
        "9x9 4,4 1/13 6.0 .~.F.F.~./.#5.#./T2.F_F2.T/2.#3.#2./.H2._2.H./2.#3.#2./T2.F_F2.T/.#5.#./.~.F.F.~. 0.0,0.0"
    )
    ours = "0|-|-|4,3:N:10:0:0:4,6:-|4,6:N:10:0:0:4,6:-|5,6:N:10:0:0:4,6:-"
    theirs = "0|-|-|4,2:S:5:0:0:4,1:-|0,8:S:10:0:0:4,1:-|8,8:S:10:0:0:4,1:-"
    world = game.new(position=f"{around} {ours} {theirs}", seats=2)
    judge, seen = Judge(game), game.view(world, 0)
    stab, hold = (game.parse(world, 0, text) for text in ("thief attack 4,2", "thief hold"))
    assert judge.scores_at_once(seen)
    assert judge.worth(seen, stab, 1000).chance - judge.worth(seen, hold, 1000).chance >= 0.9
