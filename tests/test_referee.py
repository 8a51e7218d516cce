"""The referee: what it allows, what it refuses, and that its entries alone bring another one to the same point."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import Case, every_case, journeys, seeds
from quincunx.core.words import Refused
from quincunx.games import load
from quincunx.match import Happened, Match, Played, decode, encode, replay
from quincunx.match.clock import Clock, ClockRule
from quincunx.match.record import Entry
from quincunx.match.referee import Referee, Ruling

NO_CLOCK = ClockRule()


def table(game: str = "khet", clock: ClockRule = NO_CLOCK, **options: Any) -> Referee:
    return Referee(Match(load(game, "interpreted"), seed=1, dice=1, **options), clock)


def entropy() -> int:
    return next(_numbers)


_numbers = count(1)


def do(referee: Referee, ruling: Ruling) -> list[Entry]:
    assert not isinstance(ruling, Refused), ruling
    referee.take(ruling)
    return ruling


def move(referee: Referee, text: str, at: int = 0, seat: int | None = None) -> Ruling:
    who = referee.match.turn if seat is None else seat
    return referee.submit(who, referee.game.parse(referee.match.world, who, text), at, entropy)


def code(ruling: Ruling) -> str:
    assert isinstance(ruling, Refused), ruling
    return ruling.code


@every_case
@given(seed=seeds, journey=journeys, cut=st.integers(0, 60))
def test_the_entries_alone_bring_another_referee_to_the_same_point(
    case: Case, seed: int, journey: list[int], cut: int
) -> None:
    game = load(case.game, "interpreted")
    clock = ClockRule("fischer", 60_000, 1000)

    def begin() -> Referee:
        return Referee(Match(game, case.preset, setup=case.setup, seed=seed, dice=seed, **dict(case.options)), clock)

    one, two = begin(), begin()
    stored: list[Entry] = []
    for n, choice in enumerate(journey):
        if one.match.over:
            break
        seat = one.match.turn
        legal = game.legal(one.match.world)
        before = game.to_bytes(one.match.world)
        ruling = one.submit(seat, legal[choice % len(legal)], 100 * n, entropy)
        assert game.to_bytes(one.match.world) == before  # a question changes nothing
        stored += do(one, ruling)
    two.take(stored[:cut])
    two.take(stored[cut:])
    assert game.to_bytes(two.match.world) == game.to_bytes(one.match.world)
    assert two.match.outcome == one.match.outcome
    assert [c.left for c in two.clocks] == [c.left for c in one.clocks]
    assert [c.deadline() for c in two.clocks] == [c.deadline() for c in one.clocks]


def test_what_may_not_be_played_is_refused_with_a_code() -> None:
    referee = table()
    assert code(move(referee, "H2-G1", seat=1)) == "not_to_act"
    assert code(move(referee, "A8+")) == "not_yours"
    assert code(referee.submit(7, 0, 0, entropy)) == "no_such_seat"
    do(referee, referee.resign(0, 5))
    assert code(move(referee, "H2-G1", seat=1)) == "over"
    assert code(referee.resign(1, 6)) == "over"


def test_a_draw_needs_both() -> None:
    referee = table()
    assert code(referee.decline_draw(1, 0)) == "no_offer"
    do(referee, referee.offer_draw(0, 1))
    assert code(referee.offer_draw(0, 2)) == "already_offered"
    do(referee, referee.decline_draw(1, 3))
    do(referee, referee.offer_draw(0, 4))
    do(referee, move(referee, "H2-G1", 5))  # an offer falls when the one who made it moves
    do(referee, referee.offer_draw(1, 6))
    do(referee, referee.offer_draw(0, 7))
    assert referee.match.outcome is not None
    assert (referee.match.outcome.reason, referee.match.outcome.ranks) == ("draw", [1, 1])


def test_an_action_is_taken_back_by_consent() -> None:
    referee = table()
    start = referee.game.position(referee.match.world)
    assert code(referee.ask_take_back(0, 0)) == "nothing_to_undo"
    do(referee, move(referee, "H2-G1"))
    do(referee, move(referee, "F8-F7"))
    assert code(referee.answer_take_back(1, True, 1)) == "no_offer"
    do(referee, referee.ask_take_back(0, 2))
    assert code(referee.answer_take_back(0, True, 3)) == "no_offer"
    do(referee, referee.answer_take_back(1, False, 4))
    assert (referee.take_back_asked, referee.take_back_declined) == (None, 1)  # told until somebody acts or asks again
    do(referee, referee.ask_take_back(0, 5))
    assert (referee.take_back_asked, referee.take_back_declined) == (0, None)
    do(referee, referee.answer_take_back(1, True, 6))  # both moves go: the last one of seat 0 and what followed
    assert referee.game.position(referee.match.world) == start
    data = encode(referee.match.record())
    assert encode(replay(decode(data)).record()) == data


def test_against_a_computer_no_consent_is_needed() -> None:
    referee = table()
    do(referee, move(referee, "H2-G1"))
    do(referee, move(referee, "F8-F7"))
    (entry,) = do(referee, referee.ask_take_back(0, 1, alone=True))
    assert isinstance(entry, Happened) and entry.event == "take_back" and referee.match.length == 0


def test_nothing_is_taken_back_once_dice_fell() -> None:
    referee = table("cultist", neutrals="wander")
    do(referee, move(referee, "WAIT"))
    assert code(referee.ask_take_back(0, 1)) == "shown"


def test_a_match_is_aborted_only_before_everybody_has_acted() -> None:
    referee = table()
    do(referee, move(referee, "H2-G1"))
    assert not isinstance(referee.abort(1, 0), Refused)
    do(referee, move(referee, "F8-F7"))
    assert code(referee.abort(1, 0)) == "under_way"


# -- clocks ---------------------------------------------------------------------------------------------------------


def test_a_clock_for_each_move_starts_anew() -> None:
    clock = Clock(ClockRule("move", turn=1000))
    clock.begin(0)
    clock.end(900)
    assert clock.left == 1000
    clock.begin(5000)
    assert clock.deadline() == 6000 and clock.shown(5400) == 600


def test_fischer_adds_after_the_turn() -> None:
    clock = Clock(ClockRule("fischer", base=1000, turn=300))
    clock.begin(0)
    clock.begin(500)  # the same turn
    assert clock.deadline() == 1000
    clock.end(800)
    assert clock.left == 500


def test_a_bank_pays_only_for_what_is_over_the_turn() -> None:
    clock = Clock(ClockRule("bank", base=1000, turn=200))
    clock.begin(0)
    assert clock.deadline() == 1200
    clock.end(150)
    assert clock.left == 1000
    clock.begin(1000)
    clock.end(1500)
    assert clock.left == 700


def test_no_clock_never_runs_out() -> None:
    clock = Clock(NO_CLOCK)
    clock.begin(0)
    assert clock.deadline() is None and clock.shown(10**12) is None


@pytest.mark.parametrize(
    "rule, why",
    [
        (ClockRule("move"), "The time per turn is too short"),
        (ClockRule("fischer", -1), "The reserve is too short"),
        (ClockRule("bank", 5, 0), "The time per turn is too short"),
        (ClockRule("fischer", 10**12), "The reserve is over 30 days"),
    ],
)
def test_a_clock_that_cannot_be_is_refused(rule: ClockRule, why: str) -> None:
    with pytest.raises(Refused, match=why):
        rule.check()


def test_a_fallen_flag_loses_where_the_game_knows_no_fallback() -> None:
    referee = table(clock=ClockRule("fischer", base=1000))
    assert referee.expire(999, entropy) == []
    assert code(move(referee, "H2-G1", 1001)) == "too_late"
    (entry,) = do(referee, referee.expire(1000, entropy))
    assert isinstance(entry, Happened) and entry.event == "time_out"
    assert referee.match.outcome is not None and referee.match.outcome.ranks == [2, 1]
    assert referee.expire(5000, entropy) == []


@pytest.mark.parametrize(
    "rule", [ClockRule("fischer", base=1000, turn=500), ClockRule("move", turn=1000), ClockRule("bank", 1000, 500)]
)
def test_a_fallen_flag_reads_nothing(rule: ClockRule) -> None:
    referee = table(clock=rule)
    do(referee, referee.expire(2000, entropy))
    assert referee.match.over
    assert referee.clocks[0].shown(9000) == 0


def test_a_fallen_flag_plays_the_fallback_where_there_is_one() -> None:
    referee = table("cultist", clock=ClockRule("move", turn=1000))
    (entry,) = do(referee, referee.expire(1500, entropy))
    assert isinstance(entry, Played) and entry.action == "WAIT"
    assert referee.match.turn == 1 and referee.clocks[1].deadline() == 2500


def test_time_is_added_for_a_turn_and_never_for_an_action() -> None:
    """Garden: many actions and dice in one turn of the same seat."""
    referee = table("garden", clock=ClockRule("fischer", base=10_000, turn=1000))
    seat = referee.match.turn
    at = 0
    while referee.match.turn == seat:
        at += 10
        legal = referee.game.legal(referee.match.world)
        do(referee, referee.submit(seat, legal[-1], at, entropy))
    assert referee.clocks[seat].left == 10_000 - at + 1000


def test_who_seals_last_has_a_whole_clock_for_the_next_turn() -> None:
    """The game waits for it again at once: that is another turn, and as long as the others'."""
    referee = table("casus_belli", ClockRule("move", turn=10_000), seats=2)
    do(referee, move(referee, "seal", at=1_000, seat=0))
    do(referee, move(referee, "seal", at=9_000, seat=1))
    assert [clock.deadline() for clock in referee.clocks] == [19_000, 19_000]


def test_who_acts_several_times_in_a_turn_has_one_clock_for_it() -> None:
    referee = table("casus_belli", ClockRule("move", turn=10_000), seats=2)
    do(referee, move(referee, "elf face E", at=4_000, seat=0))
    do(referee, move(referee, "seal", at=5_000, seat=1))
    assert [clock.deadline() for clock in referee.clocks] == [10_000, None]
