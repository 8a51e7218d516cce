"""Casus Belli: what a seat sees, what it is told, what it may only guess."""

from __future__ import annotations

from itertools import chain, groupby, repeat
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import long_journey, next_step
from casus_scene import GAME, Scene, field, told
from quincunx.core import contract, hints, layout
from quincunx.core.contract import PUBLIC
from quincunx.core.random import Random
from quincunx.games import World, load
from quincunx.games.casus_belli import notation, story
from quincunx.games.casus_belli.field import ATTACK, CUT_OFF, GIVEN, MOST_NOTED, ROLE, WALL, State, Terms, View, code_at
from quincunx.games.casus_belli.vision import team_sees
from quincunx.search.greedy import think_greedy
from quincunx.search.walk import playout

FAST = load("casus_belli", "compiled")
PLACES = [
    ("seed", "pit", 3),
    ("final", "pit", 3),
    ("seed", "meadow", 6),
    ("final", "castle", 4),
    ("seed", "hundred", 9),
]
places = pytest.mark.parametrize(("preset", "setup", "seats"), PLACES)


def retell(view: View, events: list[int]) -> None:
    """Changes a view by what its seat was told, and by nothing else."""
    noted: list[list[int]] = [[], [], []]
    for event in events:
        kind, who, what, cell = event >> 48, event >> 32 & 0xFFFF, event >> 16 & 0xFFFF, event & 0xFFFF
        if kind == story.SEALED:
            view.sealed[who] = 1
        elif kind == story.ORDERED:
            action = event & (1 << 48) - 1
            orders = view.attack if action >> 34 == ATTACK >> 34 else view.path
            orders[action >> 32 & 3] = GIVEN | action & ROLE - 1
        elif kind == story.SEEN:
            view.cell[who], view.facing[who], view.health[who] = cell + 1, what >> 8, what & 255
        elif kind == story.GONE:
            view.cell[who] = view.facing[who] = view.health[who] = 0
        elif kind == story.CORPSE:
            view.corpse[who] = cell
        elif kind == story.SCORED:
            view.points[who] = (event & 0xFFFFFFFF) - story.BALANCE
        elif kind == story.HOTSPOT:
            view.holder[who], view.held[who] = what, cell
        elif kind == story.COOLDOWN:
            view.cooldown[who % 3 * 2 + what] = cell
        elif kind == story.DEPARTURE:
            view.departure[who % 3] = cell
        elif kind == story.PALANTIR_SET:
            view.orb = cell
        elif kind == story.REVEALED:
            view.zone = cell
        elif kind == story.NOTED:
            noted[who % 3].append(cell)
        elif kind == story.TURN:
            if view.phase == 0:  # everybody has walked
                runs = [[len(list(run)) << 16 | at for at, run in groupby(cells)] for cells in noted]
                view.runs[:] = list(map(len, runs))
                view.noted[:] = list(chain(*runs, repeat(0, len(view.noted) - sum(view.runs))))
            view.turn, view.phase = cell, what
            view.sealed[:] = [0] * len(view.sealed)
            view.attack[:] = view.path[:] = [0, 0, 0]


def plain_view(world: World, seat: int) -> View:
    view: View = world.game.plain(View, world.game.view(world, seat).rows)
    return view


@places
def test_every_change_of_a_view_is_told(preset: str, setup: str, seats: int) -> None:
    for seed in range(2):
        world, random = FAST.new(preset, setup=setup, seats=seats), FAST.random(seed)
        for choice in long_journey(seed, 250):
            step = next_step(FAST, world, choice, random)
            if step is None:
                break
            for observer in (0, seats - 1, PUBLIC):
                view = plain_view(world, observer)
                after = FAST.clone(world)
                retell(view, FAST.apply_and_log(after, *step, observer))
                assert view == plain_view(after, observer)
            FAST.apply(world, *step)


def test_a_story_of_a_hundred_teams_fits_the_log() -> None:
    """Everybody walks along one road together, so that everybody notes everybody at every step."""
    rows = "_" * 30
    world = FAST.from_setup({**FAST.new("final", seats=100).options}, f"30 1\n0 0\n0\n5\n{rows}")
    for seat in range(100):
        for role, steps in (("thief", 10), ("barbarian", 8), ("elf", 6)):
            action = FAST.parse(world, seat, f"{role} path {'E' * steps}")
            assert FAST.check(world, seat, action) is None
            FAST.apply(world, seat, action)
    for seat in range(99):
        FAST.apply(world, seat, 0)
    events = FAST.apply_and_log(world, 99, 0, 0)
    assert events[-1] >> 48 == story.TURN and 5000 < len(events) < len(contract.Log().events)


@pytest.mark.parametrize(("preset", "setup", "seats"), [*PLACES, ("seed", "hundred", 100), ("final", "arena", 100)])
def test_the_gears_agree_through_whole_turns_of_many(preset: str, setup: str, seats: int) -> None:
    fast, random = FAST.new(preset, setup=setup, seats=seats), FAST.random(1)
    out, silent = FAST.gear.ints(FAST.rules.MAX_LEGAL), FAST.log(contract.NOBODY, silent=True)
    play = FAST.gear.bind(playout)
    play(fast.terms[0], fast.rows[0], 35 * seats, True, random[0], out, silent[0])  # into the thick of it
    slow = GAME.from_bytes(fast.options, FAST.to_bytes(fast))
    for choice in long_journey(7, 8 * seats):
        seat, actions = FAST.turn(fast), FAST.legal(fast)
        if seat < 0:
            break
        action = actions[choice % len(actions)]
        tales = [game.apply_and_log(world, seat, action, seats - 1) for game, world in ((GAME, slow), (FAST, fast))]
        assert tales[0] == tales[1]
    assert GAME.digest(slow) == FAST.digest(fast) and FAST.state(fast).turn > 2


# -- secrets --------------------------------------------------------------------------------------------------------


def redrawn(world: World, seat: int, choices: list[int]) -> World:
    """The same world for `seat`: unseen enemies elsewhere; other cooldowns, departures, palantírs, orders of others."""
    other = GAME.clone(world)
    terms: Terms = other.terms[0]
    s: State = other.rows[0]
    hidden = [c for c in range(terms.width * terms.height) if code_at(terms, c) != WALL]
    hidden = [c for c in hidden if not team_sees(terms, s, seat, c)]
    for unit in range(3 * terms.seats):
        if unit // 3 == seat:
            continue
        draw = choices[unit % len(choices)]
        s.departure[unit] = hidden[draw % len(hidden)] if hidden else terms.start
        s.cooldown[2 * unit] = draw % 3
        s.attack[unit] = s.path[unit] = 0
        s.palantir[unit // 3], s.revealed[unit // 3] = draw % 50 + 1, draw % 40
        if not team_sees(terms, s, seat, s.cell[unit]):
            s.cell[unit], s.facing[unit], s.health[unit] = hidden[draw % len(hidden)], draw % 4, 1 + draw % 10
        if s.corpse[unit] and not team_sees(terms, s, seat, s.corpse[unit] - 1):
            s.corpse[unit] = 0
    return other


@places
@given(seed=st.integers(0, 2**16), choices=st.lists(st.integers(0, 2**16), min_size=7, max_size=40))
def test_secrets_reach_no_view_no_list_no_refusal_and_no_story(
    preset: str, setup: str, seats: int, seed: int, choices: list[int]
) -> None:
    fast, random = FAST.new(preset, setup=setup, seats=seats), FAST.random(seed)
    for choice in long_journey(seed, 30 * seats + seed % (9 * seats)):
        step = next_step(FAST, fast, choice, random)
        if step is None:
            return
        FAST.apply(fast, *step)
    world = GAME.from_bytes(fast.options, FAST.to_bytes(fast))
    for seat in (0, seats - 1):
        other = redrawn(world, seat, choices)
        assert GAME.digest(GAME.view(other, seat)) == GAME.digest(GAME.view(world, seat))
        assert GAME.digest(GAME.view(other, PUBLIC)) == GAME.digest(GAME.view(world, PUBLIC))
        legal = GAME.legal(world, seat)
        assert GAME.legal(other, seat) == legal
        near = {a ^ 1 << bit for a in legal[::40] for bit in range(0, 36, 3)}
        assert all(GAME.check(world, seat, a) == GAME.check(other, seat, a) for a in near)
        for action in legal[:1]:
            if action:
                for observer in (seat, (seat + 1) % seats, PUBLIC):
                    stories = [GAME.apply_and_log(GAME.clone(w), seat, action, observer) for w in (world, other)]
                    assert stories[0] == stories[1] and (observer == seat or stories[0] == [])


def test_orders_are_told_to_their_own_seat_only() -> None:
    scene = Scene(field(9, 9), seats=3).put(0, "thief", "4,4").put(1, "thief", "4,3")
    action = GAME.parse(scene.world, 0, "thief attack 4,3")
    tales = [GAME.apply_and_log(GAME.clone(scene.world), 0, action, observer) for observer in (0, 1, 2, PUBLIC)]
    assert len(tales[0]) == 1 and tales[1:] == [[], [], []]
    seal = [GAME.apply_and_log(GAME.clone(scene.world), 0, 0, observer) for observer in (0, 1, 2, PUBLIC)]
    assert all(tale == seal[0] for tale in seal) and len(seal[0]) == 1


def test_the_public_sees_points_hotspots_and_seals_only() -> None:
    scene = Scene("..HH.....").put(0, "elf", "2,0").put(1, "thief", "6,0")
    scene.order(0, "elf path E").play()
    GAME.apply(scene.world, 1, 0)
    public, empty = scene.view(PUBLIC), View()
    empty.turn, empty.holder[0], empty.held[0], empty.sealed[1] = 1, 1, 1, 1
    assert public == empty


def test_a_seen_enemy_shows_its_team_class_health_and_facing_and_nothing_else() -> None:
    scene = Scene(field(9, 9)).put(0, "thief", "4,8").put(1, "elf", "4,5", "W", health=3).put(1, "thief", "0,0", "W")
    scene.s.cooldown[2 * scene.unit(1, "elf")] = 3
    shown = GAME.show(GAME.view(scene.world, 0))
    assert [(u.team, u.role, u.cell, u.facing, u.health) for u in shown.units if u.team] == [(1, "elf", "4,5", "W", 3)]
    assert len(shown.own) == 3 and "cooldown" not in str(shown.units)


def test_a_victim_learns_damage_and_team_but_not_from_where() -> None:
    scene = Scene(field(40, 9), seats=3).put(0, "thief", "4,8").put(0, "elf", "9,8", "S")
    scene.put(1, "elf", "35,4", "N").put(2, "elf", "30,4", "N").put(2, "barbarian", "30,4", "N").put(2, "thief", "4,8")
    scene.order(1, "elf loto 4,8").order(2, "thief attack 4,8", "elf attack 4,8")
    events = scene.play(observer=0)
    assert [(e.role, e.team, e.damage, e.cells) for e in told(events, "Hit")] == [
        ("thief", 1, 4, ()),
        ("thief", 2, 7, ()),
    ]
    assert not any(cell.startswith("3") and len(cell) == 4 for event in events for cell in event.cells)


def test_an_attack_tells_whom_the_team_saw_it_strike() -> None:
    """The last of two on one cell tells the wound; one that the team does not see is not told at all."""
    scene = Scene(field(20, 9), seats=3).put(0, "thief", "4,6").put(0, "elf", "4,7").put(0, "barbarian", "12,8", "N")
    scene.put(1, "elf", "4,5", "W", health=9).put(2, "thief", "12,6", health=2).put(1, "barbarian", "19,0")
    scene.order(0, "thief attack 4,5", "elf attack 4,5", "barbarian attack 12,6").order(2, "elf loto 19,0")
    events = scene.play(observer=0)
    struck = [(e.role, [(v.team, v.role, v.cell, v.damage) for v in e.struck]) for e in told(events, "Attacked")]
    assert struck == [("thief", []), ("barbarian", [(2, "thief", "12,6", 0)]), ("elf", [(1, "elf", "4,5", 7)])]
    assert [e.words.en for e in told(events, "Attacked")] == [
        "Your thief stabs at 4,5.",
        "Your barbarian swings his mace in a cross on 12,6: player 3’s thief dies.",
        "Your elf shoots an arrow at 4,5: player 2’s elf loses 7 health.",
    ]
    assert not told(events, "Hurt") and not told(events, "CorpseSeen")


def test_what_others_do_to_each_other_in_sight_is_told_as_a_wound_without_a_culprit() -> None:
    scene = Scene(field(20, 9), seats=3).put(0, "elf", "4,8").put(1, "thief", "4,5").put(2, "thief", "4,4", "S")
    scene.order(2, "thief attack 4,5")
    (hurt,) = told(scene.play(observer=0), "Hurt")
    assert (hurt.team, hurt.role, hurt.damage, hurt.cells) == (1, "thief", 5, ("4,5",))
    assert hurt.words.fr == "Le voleur du joueur 2 perd 5 points de vie."


def test_the_story_that_people_read_has_no_orders_seals_cooldowns_nor_what_their_own_units_show() -> None:
    scene = Scene(field(20, 9)).put(0, "thief", "4,8").put(0, "elf", "6,8").put(1, "thief", "4,5")
    (ordered,) = GAME.tell(
        scene.world, 0, GAME.apply_and_log(scene.world, 0, GAME.parse(scene.world, 0, "thief path N"), 0)
    )
    scene.order(0, "elf reveal 6,6").order(1, "thief path W")
    events = scene.play(observer=0)
    read = [event for event in events if event.line != "never"]
    assert ordered.line == "never" and len(read) < len(events)
    assert {type(event).__name__ for event in read} == {"Attacked", "Walked", "Seen", "Square", "Penumbra"}
    assert {event.team for event in told(read, "Seen")} == {1}


# -- guesses --------------------------------------------------------------------------------------------------------


@places
def test_guesses_are_plausible(preset: str, setup: str, seats: int) -> None:
    world, random = FAST.new(preset, setup=setup, seats=seats), FAST.random(3)
    terms = FAST.terms(world)
    for choice in long_journey(5, 40 * seats):
        step = next_step(FAST, world, choice, random)
        if step is None:
            break
        FAST.apply(world, *step)
        if choice % 7:
            continue
        observation = FAST.view(world, seats - 1)
        state: State = FAST.state(FAST.imagine(observation, random))
        truth: State = FAST.state(world)
        for unit in range(3 * seats):
            assert code_at(terms, state.cell[unit]) not in (WALL, *range(CUT_OFF, 128))
            assert 0 < state.health[unit] <= 10
            for k in range(2):
                assert 0 <= state.cooldown[2 * unit + k] < terms.cooldowns[unit % 3 * 2 + k]
            if unit // 3 != seats - 1:
                assert state.attack[unit] == state.path[unit] == 0
        assert state.sealed == truth.sealed and state.first == truth.first
        if truth.turn < terms.placement:
            assert set(state.health[: 3 * seats]) == {10} and not any(state.cooldown)
            assert set(state.departure[: 3 * seats]) == {terms.start}


def test_units_are_guessed_no_farther_than_they_can_have_walked() -> None:
    world, random = FAST.new(setup="hundred", seats=5), FAST.random(3)
    for seat in range(5):
        for action in FAST.legal(world, seat)[-20::19] if seat else []:
            FAST.apply(world, seat, action)
        if FAST.to_act(world, seat):
            FAST.apply(world, seat, 0)
    state: State = FAST.state(world)
    assert state.turn == 1
    terms = FAST.terms(world)
    for _ in range(40):
        guess: State = FAST.state(FAST.imagine(FAST.view(world, 0), random))
        for unit in range(15):
            x, y = (abs(a - b) for a, b in zip(divmod(guess.cell[unit], 81), divmod(terms.start, 81), strict=True))
            assert x + y <= 10


# -- how computers play ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["seed", "final"])
def test_the_policy_beats_chance(preset: str) -> None:
    """Seat 0 orders by the policy, the others by lot."""
    points = [0, 0, 0]
    policy = FAST.gear.bind(hints.policy)
    out: Any = FAST.gear.ints(FAST.rules.MAX_LEGAL)
    for seed in range(12):
        world, random = FAST.new(preset, setup="pit", seats=3), FAST.random(seed)
        for choice in long_journey(seed, 3000):
            seat = FAST.turn(world)
            if seat < 0:
                break
            actions = FAST.legal(world)
            out[: len(actions)] = actions
            if seat == 0:
                choice = policy(world.terms[0], world.rows[0], 0, out, len(actions), random[0])
            FAST.apply(world, seat, actions[choice % len(actions)])
        points = [a + b for a, b in zip(points, FAST.scores(world), strict=True)]
    assert points[0] > max(points[1:]) + 12


def test_one_ply_gives_every_order_before_it_seals_and_strikes_what_it_sees() -> None:
    """Also for the last one to seal, whose seal resolves the turn."""
    scene = Scene(field(9, 9)).put(0, "thief", "4,4").put(0, "elf", "4,7").put(0, "barbarian", "0,8")
    scene.put(1, "elf", "5,4", health=5)
    GAME.apply(scene.world, 1, 0)
    world = FAST.from_bytes(scene.world.options, GAME.to_bytes(scene.world))
    think, out, log = FAST.gear.bind(think_greedy), FAST.gear.ints(FAST.rules.MAX_LEGAL), FAST.log(PUBLIC, silent=True)
    room: Any = FAST.gear.rows(contract.State, 2)
    randoms: Any = FAST.gear.rows(Random, 2)
    orders: list[int] = []
    while FAST.turn(world) == 0 and len(orders) < 8:
        room[0] = world.rows[0]
        orders.append(think(world.terms, room, 0, randoms, out, log, 100))
        FAST.apply(world, 0, orders[-1])
    assert len({order >> 32 for order in orders[:6]}) == 6 and orders[6] == 0
    assert FAST.scores(world) == [1, 0]


def test_rank_prefers_enemies_to_nothing_and_nothing_to_friends() -> None:
    scene = Scene(field(9, 9)).put(0, "thief", "4,4").put(0, "elf", "3,4").put(1, "elf", "5,4", health=5)
    rank = GAME.gear.bind(hints.rank)

    def of(order: str) -> int:
        return rank(scene.terms, scene.s, 0, GAME.parse(scene.world, 0, order))

    assert of("thief attack 5,4") > of("thief hold") > of("thief attack 4,3") > of("thief attack 3,4")
    assert of("elf attack 5,4") > of("elf hold") and of("thief path E") > of("thief path W")
    assert of("seal") < of("thief hold")
    evaluate = GAME.gear.bind(hints.evaluate)
    before = evaluate(scene.terms, scene.s, 0)
    scene.order(0, "thief attack 5,4").play()
    assert evaluate(scene.terms, scene.s, 0) > before and evaluate(scene.terms, scene.s, 1) < -before + 1


def test_records_stay_small() -> None:
    """But for the penumbra, which is 11.3 KB where three towers see 283 cells full of enemies at each of ten steps."""
    penumbra = 4 * MOST_NOTED
    assert layout.size(State) - penumbra - 8 * 300 < 9000 and layout.size(View) - penumbra < 4000
    assert notation.REFUSALS.keys() == {3, 4, 5, 6, 7, 8}
