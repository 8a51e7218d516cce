"""Chartichaud's fog: what is seen, remembered, told and imagined."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from cases import long_journey, travel
from chartichaud_scenes import GAME, both_presets, play, scene, told, view_of
from quincunx.core import hints, layout
from quincunx.core.contract import PUBLIC
from quincunx.core.random import Random, below, seeded
from quincunx.games import World, load
from quincunx.games.chartichaud import grid, notation, view
from quincunx.games.chartichaud.grid import ONE, PITCH, PRICE, STEP, View, count, has

# -- fog and memory --------------------------------------------------------------------------------------------------


@both_presets
def test_sight_is_two_cells_around_every_unit_and_live(preset: str) -> None:
    world = scene("12x9 turn=0 A=3,4:1C B=6,4:1C gold=5,6:9", preset)
    seen = {(x, y) for y in range(9) for x in range(12) if has(view_of(world, 0).seen[y], x)}
    assert seen == {(x, y) for x in range(1, 6) for y in range(2, 7)}
    assert view_of(world, 0).gold[6 * PITCH + 5] == 9 and view_of(world, 0).units[1][4 * PITCH + 6] == 0
    assert "in sight on 6,4: 1 civilian of side B" in told(world, "move civilian 3,4 east", 0)
    play(world, "move civilian 3,4 east")
    assert view_of(world, 0).units[1][4 * PITCH + 6] == ONE[0]


def test_who_can_act_is_shown_to_whose_turn_it_is_and_to_nobody_after_the_end() -> None:
    world = scene("9x9 turn=79 A=4,4:2C B=5,4:2C")

    def ready(seat: int) -> list[Any]:
        shown: Any = GAME.show(GAME.view(world, seat))
        return [stack.ready for place in shown.places for stack in place.stacks if stack.owner == seat]

    while not GAME.over(world):
        mine = GAME.turn(world)
        assert (ready(mine), ready(1 - mine)) == ([(2, 0, 0)], [None])
        play(world, "end")
    assert (ready(0), ready(1)) == ([None], [None])


def test_the_view_shows_neither_the_other_purse_nor_who_acted() -> None:
    text = "9x9 turn=1 points=3,2 purse=7,{} A=4,4:2C B=5,4:2C2M;8,8:{}{}"
    one = scene(text.format(5, "1C", ""))
    two = scene(text.format(99, "7M2B", " acted=5,4:1C1M;8,8:2M gold=8,8:50 memoryB=0,0@0:25"))
    assert view_of(one, 0) == view_of(two, 0)
    assert view_of(one, PUBLIC) == view_of(two, PUBLIC)
    public = view_of(two, PUBLIC)
    bare = View()
    bare.turns, bare.points[0], bare.points[1] = 1, 3, 2
    assert public == bare


def test_memory_keeps_what_was_last_seen_and_when() -> None:
    world = scene("14x5 turn=6 A=4,2:1M;0,0:1C B=5,2:2C;13,4:1C gold=6,2:36")
    play(world, "move military 4,2 west", "end", "move civilian 5,2 east", "end")
    assert told(world, "move military 3,2 west", 0)[0] == "a soldier goes from 3,2 to 2,2"
    play(world, "move military 3,2 west")
    view = view_of(world, 0)
    assert notation.position(GAME.terms(world), GAME.state(world)).count("5,2@8:0+1C") == 1
    assert view.memory[2 * PITCH + 6] >> grid.WORD_BITS == 7 << grid.GOLD_BITS | 36  # 6 + 1: seen in turn 6
    assert view.memory[2 * PITCH + 4] == 0 and view.memory[2 * PITCH + 9] == 0  # seen now, never seen
    board = GAME.board(GAME.view(world, 0))
    assert [board.cells[2][x].ground for x in (4, 6, 9)] == ["", "memory", "unknown"]
    assert board.cells[2][6].text == "?+36" and board.cells[2][5].text == "?1c"
    play(world, "end", "end", "move military 2,2 east")
    assert view_of(world, 0).memory[2 * PITCH + 5] == 0


def test_a_client_is_shown_what_is_seen_and_what_is_remembered() -> None:
    text = "14x5 turn=8 points=4,9 purse=7,5 A=1,1:2C1B B=2,1:1M;13,4:1C acted=1,1:1C gold=3,3:9 memoryA=7,2@6:36+1C"
    world = scene(text)
    shown = GAME.show(GAME.view(world, 0))
    places = {place.cell: place for place in shown.places}
    assert len(places) == 4 * 4 + 1 and "13,4" not in places and (shown.purse, shown.player) == (7, 0)
    (own,), (enemy,) = places["1,1"].stacks, places["2,1"].stacks
    assert (own.owner, own.civilians, own.buildings, own.ready) == (0, 2, 1, (1, 0, 1))
    assert (enemy.owner, enemy.military, enemy.ready) == (1, 1, None) and places["3,3"].gold == 9
    past = places["7,2"]
    assert (past.seen, past.since, past.gold, past.stacks[0].civilians) == (False, 6, 36, 1)
    public = GAME.show(GAME.view(world, PUBLIC))
    assert (public.width, public.turn, public.points, public.purse, public.places) == (14, 8, (4, 9), None, ())


def test_leaving_and_appearing_are_told_only_where_they_are_seen() -> None:
    world = scene("12x9 turn=1 A=3,4:1C B=5,4:1M;6,3:1C;11,8:1C gold=11,8:3")
    assert told(world, "move military 5,4 west", 0) == ["a soldier goes from 5,4 to 4,4"]
    assert told(world, "move military 5,4 east", 0) == ["a soldier leaves 5,4 and is lost in the fog"]
    assert told(world, "move civilian 6,3 west", 0) == ["a civilian comes out of the fog on 5,3"]
    assert told(world, "move civilian 6,3 east", 0) == []
    assert told(world, "harvest 11,8", 0) == told(world, "harvest 11,8", PUBLIC) == ["1 point more"]


# -- every change of a view is told ----------------------------------------------------------------------------------


class Teller:
    """Rewrites a view by what is told alone: the law is that it becomes the next view."""

    def __init__(self, terms: grid.Terms, view: View, seat: int) -> None:
        self.terms, self.view, self.seat = terms, view, seat

    def hear(self, event: int) -> None:
        kind, seat, what, cell = event >> 56, event >> 55 & 1, event >> 11 & (1 << 44) - 1, event & 0x7FF
        view, mine = self.view, seat == self.seat
        if kind == grid.MOVED:
            self._add(seat, cell, -ONE[what >> 2])
            self._add(seat, cell + STEP[what & 3], ONE[what >> 2], acts=mine)
        elif kind in (grid.LEFT, grid.CAME):
            self._add(seat, cell, ONE[what] * (1 if kind == grid.CAME else -1))
        elif kind == grid.MADE:
            self._add(seat, cell, ONE[what])
            if mine:
                view.own_purse -= PRICE[what]
                view.acted[cell] += ONE[0 if what == 2 else 2] + (0 if self.terms.fresh_act else ONE[what])
        elif kind == grid.HARVESTED:
            view.gold[cell] -= 1
            view.reaped[cell // PITCH] |= 1 << cell % PITCH
            if mine:
                view.own_purse += 1
                view.acted[cell] += ONE[0]
        elif kind == grid.COLLAPSED:
            self._add(seat, cell, -what * ONE[2])
        elif kind == grid.LOST:
            self._add(seat, cell, -what)
            view.fallen[seat] += grid.price(what)
        elif kind in (grid.LIT, grid.FOUND, grid.DARKENED):
            self._look(kind, seat, what, cell)
        elif kind == grid.SCORED:
            view.points[seat] += what
        elif kind == grid.ENDED:
            view.turns += 1
            view.acted[:], view.reaped[:] = [0] * len(view.acted), [0] * len(view.reaped)
        elif kind == grid.BEATEN:
            view.loser = seat + 1
        else:
            assert kind == grid.OVER and view.turns == self.terms.turns

    def _add(self, seat: int, cell: int, word: int, acts: bool = False) -> None:
        self.view.units[seat][cell] += word
        if acts:
            self.view.acted[cell] += word

    def _look(self, kind: int, seat: int, what: int, cell: int) -> None:
        view = self.view
        if kind == grid.LIT:
            view.seen[cell // PITCH] |= 1 << cell % PITCH
            view.gold[cell], view.memory[cell] = what, 0
        elif kind == grid.FOUND:
            view.units[seat][cell] = what
        else:
            view.seen[cell // PITCH] &= ~(1 << cell % PITCH)
            here = view.gold[cell] << grid.WORD_BITS | view.units[1 - self.seat][cell]
            view.memory[cell] = view.turns + 1 << grid.WORD_BITS + grid.GOLD_BITS | here
            view.gold[cell] = view.units[1 - self.seat][cell] = 0

    def hear_all(self, events: list[int]) -> View:
        points = list(self.view.points)
        for event in events:
            self.hear(event)
        if any(event >> 56 == grid.LOST for event in events):  # all points of an end of turn are won in fights
            for seat in range(2):
                self.view.won[seat] += self.view.points[seat] - points[seat]
        return self.view


STORIES = [("seed", "duel"), ("telecom", "garrisons"), ("seed", "garrisons"), ("telecom", None)]


@pytest.mark.parametrize(("preset", "setup"), STORIES)
def test_every_change_of_a_view_is_told(preset: str, setup: str | None) -> None:
    game = load("chartichaud", "compiled")
    world = game.new(preset, setup=setup, seed=3)
    policy, out, random = game.gear.bind(hints.policy), game.gear.ints(game.rules.MAX_LEGAL), game.random(2)
    terms, choice = game.terms(world), seeded(7)
    views = {seat: view_of(world, seat) for seat in (0, 1, PUBLIC)}
    kinds: set[int] = set()
    for _ in range(1800):
        if game.over(world):
            break
        seat, legal = game.turn(world), game.legal(world)
        out[: len(legal)] = np.array(legal)
        k = policy(world.terms[0], world.rows[0], seat, out, len(legal), random[0])
        action = legal[below(choice, len(legal)) if below(choice, 4) == 0 else k]
        stories = {o: game.apply_and_log(game.clone(world), seat, action, o) for o in views}
        game.apply(world, seat, action)
        for observer, story in stories.items():
            kinds |= {event >> 56 for event in story}
            after = view_of(world, observer)
            assert Teller(terms, views[observer], observer).hear_all(story) == after
            views[observer] = after
    assert {grid.MOVED, grid.LEFT, grid.CAME, grid.MADE, grid.HARVESTED, grid.LOST, grid.DARKENED} <= kinds


def redrawn(world: World, seat: int, seed: int) -> World:
    """The same to `seat`: another enemy in the fog, another purse, others that acted, other gold out of sight."""
    game, random, enemy = world.game, seeded(seed), 1 - seat
    terms, s = game.terms(world), layout.from_bytes(grid.State, layout.to_bytes(world.rows[0]))
    hidden = [y * PITCH + x for y in range(terms.height) for x in range(terms.width) if not has(s.seen[seat][y], x)]
    for cell in hidden:
        s.gold[cell] = below(random, 3) * below(random, 50)
        s.units[enemy][cell] = ONE[below(random, 3)] * below(random, 3) if below(random, 3) == 0 else 0
        s.reaped[cell // PITCH] &= ~(1 << cell % PITCH)
    if hidden:
        s.units[enemy][hidden[0]] += ONE[0]
    s.purse[enemy], s.wealth[enemy] = below(random, 100), below(random, 500)
    for cell in range(grid.CELLS):
        s.memory[enemy][cell] = 0
        if s.turns & 1 == enemy:
            s.acted[cell] = sum(below(random, count(s.units[enemy][cell], kind) + 1) * ONE[kind] for kind in range(3))
    grid.derive(terms, s)
    return World(game, world.options, world.terms, game.rows(s))


@both_presets
def test_what_is_secret_reaches_neither_views_nor_lists_nor_refusals_nor_stories(preset: str) -> None:
    world = GAME.new(preset, seed=4)
    for n, (seat, action) in enumerate(travel(world, long_journey(4, 400), 4)):
        for observer in (0, 1, PUBLIC) if n % 4 == 0 else ():
            other = redrawn(world, max(observer, 0), n)
            assert GAME.digest(GAME.view(other, observer)) == GAME.digest(GAME.view(world, observer))
            if observer != seat:
                continue
            assert GAME.legal(other) == GAME.legal(world)
            assert all(
                GAME.check(other, seat, action ^ 1 << k) == GAME.check(world, seat, action ^ 1 << k) for k in range(20)
            )
            one, two = (GAME.apply_and_log(w, seat, action, seat) for w in (GAME.clone(world), other))
            GAME.apply(after := GAME.clone(world), seat, action)
            if GAME.digest(GAME.view(after, seat)) == GAME.digest(GAME.view(other, seat)):
                assert one == two


# -- imagined worlds -------------------------------------------------------------------------------------------------


def greedy_positions(preset: str, seeds: range, every: int) -> Iterator[tuple[World, list[Random]]]:
    """Positions of games in which both sides imagine a world and do there what a playout would."""
    game = load("chartichaud", "compiled")
    policy, out = game.gear.bind(hints.policy), game.gear.ints(game.rules.MAX_LEGAL)
    for seed in seeds:
        world, random, turns = game.new(preset, seed=seed), game.random(seed), -1
        while not game.over(world):
            s, seat = world.rows[0], game.turn(world)
            if s["turns"] != turns:
                turns = int(s["turns"])
                if turns % every == seed % every:
                    yield world, random
            dream = game.imagine(game.view(world, seat), random)
            legal = game.legal(dream)
            out[: len(legal)] = np.array(legal)
            k = policy(dream.terms[0], dream.rows[0], seat, out, len(legal), random[0])
            game.apply(world, seat, legal[k])


def hidden_units(world: World, seat: int) -> int:
    s: Any = world.rows[0]
    seen = (s["seen"][seat][:, None] >> np.arange(PITCH) & 1).reshape(-1)
    words = s["units"][1 - seat] * (1 - seen)
    return int((words & 0x1FFF).sum() + (words >> 13 & 0xFFF).sum() + (words >> 25).sum())


@both_presets
def test_the_hidden_enemy_is_imagined_in_plausible_numbers(preset: str) -> None:
    """In 9 of 10 worlds of which the middle 90 % hold the truth; the full measurement is in benchmarks."""
    inside = []
    for world, random in greedy_positions(preset, range(5), 15):
        game, seat = world.game, world.game.turn(world)
        observation = game.view(world, seat)
        imagined = sorted(hidden_units(game.imagine(observation, random), seat) for _ in range(100))
        inside.append(imagined[5] <= hidden_units(world, seat) <= imagined[94])
    assert len(inside) > 40 and np.mean(inside) >= 0.8


def test_an_imagined_world_is_whole() -> None:
    """Every field is written, what is derived follows, and the books of the hidden side balance."""
    for world, _ in greedy_positions("seed", range(2), 25):
        game, seat = world.game, world.game.turn(world)
        observation = game.view(world, seat)
        clean, dirty = game.imagine(observation, game.random(9)), game.clone(world)
        np.asarray(dirty.rows).view(np.uint8)[:] = 0xAB
        game._imagine(observation.terms, observation.rows, seat, game.random(9), dirty.rows, 0)
        assert game.to_bytes(dirty) == game.to_bytes(clean)
        terms, s = game.terms(clean), game.state(clean)
        grid.derive(terms, s)
        assert layout.to_bytes(s) == layout.to_bytes(clean.rows[0])
        enemy = 1 - seat
        worth = s.purse[enemy] + grid.price(s.forces[enemy])
        assert worth == s.wealth[enemy] + s.points[enemy] - s.won[enemy] - s.fallen[enemy]


@pytest.mark.parametrize(
    "text",
    [
        "9x9 turn=5 points=3,40 A=4,4:1C",  # B is beaten
        "9x9 turn=6 points=3,40 purse=0,7 B=4,4:9C;0,0:1M",  # A is, and sees nothing
        "5x5 turn=7 points=3,40 A=2,2:1C B=2,2:1M",  # nothing is hidden
        "9x9 turn=7 points=0,0 A=2,2:1C B=8,8:1M",  # more of B than its score can explain, and out of sight
        "9x9 turn=300 points=3,40 won=0,40 fallen=90,0 A=2,2:1C B=8,8:1M",
    ],
)
def test_every_observer_imagines_what_it_can_have_seen(text: str) -> None:
    world = scene(text)
    for observer in (0, 1, PUBLIC):
        observation = GAME.view(world, observer)
        for seed in range(5):
            dream = GAME.imagine(observation, GAME.random(seed))
            assert GAME.digest(GAME.view(dream, observer)) == GAME.digest(observation)
            assert GAME.turn(dream) == GAME.turn(world)
            s = GAME.state(dream)
            assert [bool(force) for force in s.forces] == [s.loser != 1, s.loser != 2] and min(s.purse) >= 0


def test_before_its_first_turn_the_enemy_is_known() -> None:
    observation = GAME.view(GAME.new(seed=1), 0)
    s = GAME.state(GAME.imagine(observation, GAME.random(1)))
    assert s.units[1][8 * PITCH + 15] == 3 and s.purse[1] == 25 and s.forces[1] == 3


def test_gold_is_imagined_opposite_of_what_is_known() -> None:
    world = scene("12x9 turn=20 points=0,9 A=2,2:1C B=11,8:1C gold=1,1:36;3,3:50")
    for seed in range(20):
        s = GAME.state(GAME.imagine(GAME.view(world, 0), GAME.random(seed)))
        assert 36 - 9 <= s.gold[7 * PITCH + 10] <= 36 and 64 - 9 <= s.gold[5 * PITCH + 8] <= 64
        assert s.gold[8 * PITCH + 11] == 0


def test_greedy_players_use_their_units() -> None:
    """Playouts harvest, build, recruit and fight; they do not wander."""
    ends = {id(world): world for world, _ in greedy_positions("seed", range(3), 100)}
    for s in map(load("chartichaud", "compiled").state, ends.values()):
        assert sum(s.points) > 500 and sum(s.won) > 0 and sum(s.fallen) > 0


@both_presets
def test_the_gears_agree_in_whole_greedy_games(preset: str) -> None:
    """What random walks of the laws do not reach: armies, fights, long memories; and what search asks for."""
    fast = load("chartichaud", "compiled")
    slow_evaluate, fast_evaluate = GAME.gear.bind(hints.evaluate), fast.gear.bind(hints.evaluate)
    ranks = [(GAME.gear.bind(f), fast.gear.bind(f)) for f in (hints.rank, hints.noisy)]
    for world, _ in greedy_positions(preset, range(2), 20):
        seat = fast.turn(world)
        slow = GAME.from_bytes(world.options, fast.to_bytes(world))
        observation, dream = fast.view(world, seat), fast.imagine(fast.view(world, seat), fast.random(3))
        assert GAME.digest(GAME.view(slow, seat)) == fast.digest(observation)
        assert GAME.digest(GAME.imagine(GAME.view(slow, seat), GAME.random(3))) == fast.digest(dream)
        assert GAME.legal(slow) == fast.legal(world) and GAME.key(slow) == fast.key(world)
        assert slow_evaluate(slow.terms[0], slow.rows[0], seat) == fast_evaluate(world.terms[0], world.rows[0], seat)
        for action in fast.legal(world):
            for slow_rank, fast_rank in ranks:
                value = slow_rank(slow.terms[0], slow.rows[0], seat, action)
                assert value == fast_rank(world.terms[0], world.rows[0], seat, action) and 0 <= value <= 1000
        fast.apply(after := fast.clone(world), seat, 0)
        GAME.apply(slow, seat, 0)
        assert GAME.digest(slow) == fast.digest(after)


def test_derived_fields_follow_and_the_books_balance() -> None:
    """Nothing is lost on the way: what a side has is what it began with, harvested, and did not lose in fights."""
    for world, _ in greedy_positions("seed", range(2), 15):
        terms, s = world.game.terms(world), world.game.state(world)
        for seat in range(2):
            worth = s.purse[seat] + grid.price(s.forces[seat])
            assert worth == s.wealth[seat] + s.points[seat] - s.won[seat] - s.fallen[seat]
        grid.derive(terms, s)
        assert layout.to_bytes(s) == layout.to_bytes(world.rows[0])


def test_the_story_has_no_line_for_empty_ground_and_says_once_where_gold_is() -> None:
    world = scene("12x9 turn=0 A=3,4:1C B=6,4:1C;11,8:1C gold=6,5:7")
    events = GAME.apply_and_tell(world, 0, GAME.parse(world, 0, "move civilian 3,4 east"), 0, 0)
    lines = {event.cells[0]: event.line for event in events if event.cells}
    assert (lines["6,4"], lines["6,5"], lines["6,3"]) == ("always", "once", "never")
    assert all(event.line == "never" for event in events if isinstance(event, view.Hidden))
    field = scene("12x9 turn=0 A=3,4:1C B=11,8:1C gold=3,4:2")
    reaped = GAME.apply_and_tell(field, 0, GAME.parse(field, 0, "harvest 3,4"), 0, 0)
    assert [event.line for event in reaped] == ["always", "never"]  # the point is told with the harvest
