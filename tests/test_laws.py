"""The laws that every game obeys, in every preset and in every gear."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from cases import (
    CASES,
    EVERY_CASE,
    EXAMPLES,
    Case,
    every_case,
    in_gears,
    long_journey,
    next_step,
    observers,
    on_journeys,
    travel,
)
from quincunx.core import layout, structure
from quincunx.core.board import Board
from quincunx.core.card import Card
from quincunx.core.contract import CHANCE
from quincunx.games import GearName, World, cards, load


@every_case
@on_journeys
def test_the_gears_agree(case: Case, seed: int, journey: list[int]) -> None:
    slow, fast = case.start("interpreted", seed), case.start("compiled", seed)
    checked = case.start("checked", seed)
    for step in travel(slow, journey, seed):
        compare(slow, fast, checked)
        for observer in observers(slow.game, slow):
            told = slow.game.apply_and_log(slow.game.clone(slow), *step, observer)
            assert fast.game.apply_and_log(fast.game.clone(fast), *step, observer) == told
        for world in (fast, checked):
            assert world.game.check(world, *step) is None
            world.game.apply(world, *step)
    compare(slow, fast, checked)


def compare(slow: World, *others: World) -> None:
    game = slow.game
    for world in others:
        assert world.game.digest(world) == game.digest(slow)
        assert world.game.turn(world) == game.turn(slow)
        assert world.game.legal(world) == game.legal(slow)
        assert world.game.scores(world) == game.scores(slow)
        assert world.game.key(world) == game.key(slow)
        for observer in observers(game, slow):
            assert world.game.digest(world.game.view(world, observer)) == game.digest(game.view(slow, observer))


@every_case
def test_the_gears_agree_to_the_end_of_long_games(case: Case) -> None:
    """After every action; where packing a state takes long, after every tenth."""
    every = 1 if layout.size(load(case.game).rules.State) < 4096 else 10
    for seed in range(EXAMPLES):
        slow, fast = case.start("interpreted", seed), case.start("compiled", seed)
        for n, step in enumerate(travel(slow, long_journey(seed, 150), seed)):
            if n % every == 0:
                assert fast.game.digest(fast) == slow.game.digest(slow)
            fast.game.apply(fast, *step)
        assert fast.game.digest(fast) == slow.game.digest(slow)


@in_gears
@on_journeys
def test_legal_and_check_agree(case: Case, gear: GearName, seed: int, journey: list[int]) -> None:
    world = case.start(gear, seed)
    game = world.game
    for n, (seat, action) in enumerate(travel(world, journey, seed)):
        assert game.check(world, seat, action) is None
        for other in (CHANCE, *range(game.seats(world))):
            assert game.check(world, other, action) is not None or game.to_act(world, other) or other == seat
        if seat == CHANCE or n % 5:
            continue
        legal = game.legal(world)
        assert len(set(legal)) == len(legal) <= game.rules.MAX_LEGAL
        assert all(game.check(world, seat, a) is None for a in legal)
        near = {a ^ 1 << bit for a in legal[:40] for bit in range(63)} | {-1, -(2**63), 2**63 - 1, 2**64}
        refused = [game.check(world, seat, a) is not None for a in near - set(legal)]
        assert all(refused) or not game.rules.LISTS_ALL


@in_gears
@on_journeys
def test_looking_changes_nothing(case: Case, gear: GearName, seed: int, journey: list[int]) -> None:
    world = case.start(gear, seed)
    game = world.game
    for seat, action in travel(world, journey, seed):
        before = game.to_bytes(world)
        game.check(world, seat, action), game.scores(world), game.legal(world), game.key(world)
        game.text(world, seat, action), game.position(world), str(world), repr(world)
        for observer in observers(game, world):
            observation = game.view(world, observer)
            game.show(observation), game.board(observation)
            game.apply_and_log(game.clone(world), seat, action, observer)
        assert game.to_bytes(world) == before


@every_case
@on_journeys
def test_playing_is_deterministic(case: Case, seed: int, journey: list[int]) -> None:
    one, two = case.start("compiled", seed), case.start("compiled", seed)
    for step in travel(one, journey, seed):
        two.game.apply(two, *step)
    assert one.game.to_bytes(one) == two.game.to_bytes(two)


@every_case
def test_random_games_end_and_then_nobody_acts(case: Case) -> None:
    for seed in range(5):
        world = case.start("compiled", seed)
        game, random = world.game, world.game.random(seed)
        for choice in long_journey(seed, 200_000):
            step = next_step(game, world, choice, random)
            if step is None:
                break
            game.apply(world, *step)
        assert game.over(world)
        assert not any(game.to_act(world, seat) for seat in range(-1, game.seats(world)))
        assert all(game.check(world, seat, 0) is not None for seat in range(-1, game.seats(world)))
        assert game.legal(world) == []
        why = game.ending(world)
        assert why.fr.endswith(".") and why.en.endswith(".") and "{" not in why.fr + why.en


@every_case
@on_journeys
def test_every_action_reads_back_from_its_text(case: Case, seed: int, journey: list[int]) -> None:
    world = case.start("interpreted", seed)
    game = world.game
    for n, (seat, action) in enumerate(travel(world, journey, seed)):
        for each in game.legal(world) if n % 10 == 0 and seat != CHANCE else [action]:
            text = game.text(world, seat, each)
            assert text == text.strip() and "\n" not in text
            assert game.parse(world, seat, text) == each


@every_case
@on_journeys
def test_every_position_reads_back_from_its_text(case: Case, seed: int, journey: list[int]) -> None:
    """To the byte at the start of a match; later up to what only draws by repetition remember."""
    world = case.start("interpreted", seed)
    game = world.game
    text = game.position(world)
    options: dict[str, Any] = {**world.options}
    again = game.new(case.preset, position=text, **options)
    assert game.to_bytes(again) == game.to_bytes(world)
    for _ in travel(world, journey, seed):
        text = game.position(world)
        again = game.new(case.preset, position=text, **options)
        assert game.position(again) == text
        assert game.turn(again) == game.turn(world)
        assert game.legal(again) == game.legal(world)
        assert game.key(again) == game.key(world)
        assert game.scores(again) == game.scores(world)


@in_gears
@on_journeys
def test_bytes_and_json_read_back(case: Case, gear: GearName, seed: int, journey: list[int]) -> None:
    world = case.start(gear, seed)
    game = world.game
    for _ in travel(world, journey, seed):
        pass
    data = game.to_bytes(world)
    assert game.to_bytes(game.from_bytes(world.options, data)) == data
    for kind, plain in ((game.rules.Terms, game.terms(world)), (game.rules.State, game.state(world))):
        built = msgspec.json.decode(msgspec.json.encode(structure.to_builtins(plain)))
        assert structure.from_builtins(kind, built) == plain


@in_gears
@on_journeys
def test_what_is_imagined_looks_like_what_was_seen(case: Case, gear: GearName, seed: int, journey: list[int]) -> None:
    """Equal views: equal turns to act, legal actions and refusals."""
    world = case.start(gear, seed)
    game = world.game
    random = game.random(seed + 1)
    for n, (_, action) in enumerate(travel(world, journey, seed)):
        for seat in observers(game, world)[:-1] if n % 3 == 0 else []:
            observation = game.view(world, seat)
            other = game.imagine(observation, random)
            assert game.digest(game.view(other, seat)) == game.digest(observation)
            assert game.to_act(world, seat) == game.to_act(other, seat)
            legal = game.legal(world, seat)
            assert game.legal(other, seat) == legal
            for a in {action, *(a ^ 1 << bit for a in legal[:8] for bit in range(0, 63, 5))}:
                assert game.check(world, seat, a) == game.check(other, seat, a)


@in_gears
@on_journeys
def test_chance_actions_with_one_outcome_lead_to_one_state(
    case: Case, gear: GearName, seed: int, journey: list[int]
) -> None:
    world = case.start(gear, seed)
    game = world.game
    random = game.random(seed + 1)
    for seat, _ in travel(world, journey, seed):
        if seat == CHANCE:
            after: dict[int, str] = {}
            for action in [game.roll(world, random) for _ in range(10)]:
                assert game.check(world, CHANCE, action) is None
                next_world = game.clone(world)
                game.apply(next_world, CHANCE, action)
                digest = game.digest(next_world)
                assert after.setdefault(game.chance_outcome(world, action), digest) == digest


@every_case
@on_journeys
def test_a_run_out_clock_plays_something_legal(case: Case, seed: int, journey: list[int]) -> None:
    world = case.start("interpreted", seed)
    game = world.game
    for seat, _ in travel(world, journey, seed):
        if seat != CHANCE:
            action = game.fallback(world, seat)
            assert action is None or game.check(world, seat, action) is None


@every_case
@on_journeys
def test_every_client_can_be_shown_everything(case: Case, seed: int, journey: list[int]) -> None:
    """Views and stories are JSON, with words in both languages; boards are rectangles of named rows."""
    world = case.start("interpreted", seed)
    game = world.game
    for step in travel(world, journey, seed):
        for observer in observers(game, world):
            observation = game.view(world, observer)
            assert msgspec.json.encode(game.show(observation))
            board = game.board(observation)
            assert isinstance(board, Board) and len(board.rows) == len(board.cells)
            for event in game.tell(world, observer, game.apply_and_log(game.clone(world), *step, observer)):
                assert event.words.fr and event.words.en and msgspec.json.encode(event)


@every_case
@on_journeys
def test_nothing_changes_in_a_view_that_is_not_told(case: Case, seed: int, journey: list[int]) -> None:
    """The tests of each game say more: there the story, folded over one view, gives the next."""
    world = case.start("compiled", seed)
    game = world.game
    for step in travel(world, journey, seed):
        for observer in observers(game, world):
            before = game.digest(game.view(world, observer))
            after = game.clone(world)
            told = game.apply_and_log(after, *step, observer)
            assert told or game.digest(game.view(after, observer)) == before


@every_case
@on_journeys
def test_every_event_says_in_which_turn_and_whose_doing(case: Case, seed: int, journey: list[int]) -> None:
    """The same numbers for every observer and in every gear, in order; secret actions are not counted."""
    slow, fast = case.start("interpreted", seed), case.start("compiled", seed)
    game, counted, last = slow.game, getattr(slow.game.view_of, "COUNTED", None), 1
    assert counted or not (game.card.fog or game.card.dice)
    for played, step in enumerate(travel(slow, journey, seed)):
        assert game.number(slow, played) == fast.game.number(fast, played)
        for observer in observers(game, slow):
            if counted:
                assert getattr(game.view(slow, observer).rows[0], counted[0]) == getattr(slow.rows[0], counted[0])
            told = game.apply_and_tell(game.clone(slow), *step, observer, played)
            turns = [event.turn for event in told]
            assert turns == sorted(turns) and all(number in (last, last + 1) for number in turns)
            assert all(event.by in range(-1, game.seats(slow)) for event in told)
        fast.game.apply(fast, *step)
        after = game.clone(slow)
        game.apply(after, *step)
        last = game.number(after, played + 1)


def test_every_game_is_tried() -> None:
    games = {case.game for case in CASES}
    assert games == {card.id for card in cards()} and len(games) >= 6


def test_no_two_cases_have_one_name() -> None:
    assert len({str(case) for case in EVERY_CASE}) == len(EVERY_CASE)
    assert str(Case("toy", preset="small")) != str(Case("toy", setup="small"))


@every_case
@on_journeys
def test_a_game_that_says_so_shows_and_tells_all_observers_the_same(case: Case, seed: int, journey: list[int]) -> None:
    world = case.start("interpreted", seed)
    game = world.game
    if not game.alike:
        return
    assert not (game.card.fog or game.card.simultaneous)
    before = game.clone(world)
    for step in travel(world, journey, seed):
        seen = {msgspec.json.encode(game.show(game.view(before, who))) for who in observers(game, before)}
        told = {
            msgspec.json.encode(game.tell(before, who, game.apply_and_log(game.clone(before), *step, who)))
            for who in observers(game, before)
        }
        assert len(seen) == len(told) == 1
        game.apply(before, *step)


@pytest.mark.parametrize("card", cards(), ids=lambda card: str(card.id))
def test_a_card_says_whether_the_start_is_drawn(card: Card) -> None:
    """A form promises either the position that it shows, or another one."""
    game = load(card.id, "interpreted")
    first, *others = (game.position(game.new(seed=seed)) for seed in range(4))
    assert card.drawn == any(position != first for position in others)
