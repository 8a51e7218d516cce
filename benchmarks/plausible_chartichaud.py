"""How plausible are Chartichaud's imagined worlds? Plays greedy games in the fog and looks at the enemy nobody sees.

At every tenth turn, 200 worlds are imagined from what the player to move knows. The true number of hidden enemy units
should lie in the middle 90 % of the imagined numbers; printed is how often it does, and how wide that band is, for all
units and for each kind alone.

    PYTHONPATH=src python benchmarks/plausible_chartichaud.py [games] [preset]
"""

from __future__ import annotations

import sys
import time
from statistics import mean, median

from quincunx.core.contract import NOBODY, Log, State, Terms, View, apply, imagine, legal, observe, turn
from quincunx.core.engine import rule
from quincunx.core.hints import policy
from quincunx.core.random import Random
from quincunx.core.structure import clear
from quincunx.games import load
from quincunx.games.chartichaud.grid import FULL, PITCH, SHIFT, has
from quincunx.games.chartichaud.grid import State as Ground
from quincunx.games.chartichaud.grid import Terms as Agreed

WORLDS, EVERY = 200, 10
ALL = 3


@rule
def hidden_units(terms: Agreed, s: Ground, seat: int, which: int) -> int:
    """How many enemy units, of one kind or all (3), `seat` does not see."""
    n = 0
    for y in range(terms.height):
        for x in range(terms.width):
            if not has(s.seen[seat][y], x):
                word = s.units[1 - seat][y * PITCH + x]
                for kind in range(3):
                    if which == 3 or which == kind:
                        n += word >> SHIFT[kind] & FULL[kind]
    return n


@rule
def play_turn(
    terms: list[Terms], s: list[State], view: list[View], dream: list[State],
    random: list[Random], out: list[int], log: list[Log],
) -> int:  # fmt: skip
    """One turn of a player who imagines a world before each action and does there what a playout would."""
    seat = turn(terms[0], s[0])
    actions = 0
    while seat != NOBODY and turn(terms[0], s[0]) == seat:
        clear(view[0])
        observe(terms[0], s[0], seat, view[0])
        imagine(terms[0], view[0], seat, random[0], dream[0])
        n = legal(terms[0], dream[0], seat, out)
        apply(terms[0], s[0], seat, out[policy(terms[0], dream[0], seat, out, n, random[0])], log[0])
        actions += 1
    return actions


@rule
def imagine_often(
    terms: list[Terms], s: list[State], view: list[View], dream: list[State],
    seat: int, which: int, worlds: int, random: list[Random], numbers: list[int],
) -> int:  # fmt: skip
    """Numbers of hidden units in imagined worlds; returns the true one."""
    clear(view[0])
    observe(terms[0], s[0], seat, view[0])
    for k in range(worlds):
        imagine(terms[0], view[0], seat, random[0], dream[0])
        numbers[k] = hidden_units(terms[0], dream[0], seat, which)  # type: ignore[arg-type]
    return hidden_units(terms[0], s[0], seat, which)  # type: ignore[arg-type]


def measure(games: int, preset: str, which: int) -> list[tuple[int, int, int, int]]:
    """Turn, true number, and the band, at every position that was looked at."""
    game = load("chartichaud", "compiled")
    play, often = game.gear.bind(play_turn), game.gear.bind(imagine_often)
    view, dream = game.gear.rows(View, 1), game.gear.rows(State, 1)
    out, numbers, log = game.gear.ints(game.rules.MAX_LEGAL), game.gear.ints(WORLDS), game.log(NOBODY, silent=True)
    found = []
    for seed in range(games):
        world, random = game.new(preset, seed=seed), game.random(seed)
        taken = 0
        while not game.over(world):
            if taken % EVERY == seed % EVERY:
                truth = often(world.terms, world.rows, view, dream, game.turn(world), which, WORLDS, random, numbers)
                ordered = sorted(numbers)
                found.append((taken, truth, int(ordered[WORLDS // 20]), int(ordered[-1 - WORLDS // 20])))
            play(world.terms, world.rows, view, dream, random, out, log)
            taken += 1
    return found


def speed() -> tuple[int, float]:
    """Hidden units in the middle of a match, and imagined worlds a second from there."""
    game = load("chartichaud", "compiled")
    play, often = game.gear.bind(play_turn), game.gear.bind(imagine_often)
    view, dream = game.gear.rows(View, 1), game.gear.rows(State, 1)
    out, numbers, log = game.gear.ints(game.rules.MAX_LEGAL), game.gear.ints(20_000), game.log(NOBODY, silent=True)
    world, random = game.new(seed=1), game.random(1)
    for _ in range(120):
        play(world.terms, world.rows, view, dream, random, out, log)
    start = time.perf_counter()
    truth = often(world.terms, world.rows, view, dream, game.turn(world), ALL, 20_000, random, numbers)
    return truth, 20_000 / (time.perf_counter() - start)


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    preset = sys.argv[2] if len(sys.argv) > 2 else "seed"
    for which, name in ((ALL, "all units"), (0, "civilians"), (1, "military"), (2, "buildings")):
        found = measure(games, preset, which)
        inside = mean(low <= truth <= high for _, truth, low, high in found)
        print(
            f"{games} games, preset {preset}, {len(found)} positions, {name}: inside the band in {100 * inside:.1f} %"
        )
        for start in range(0, 300, 60):
            part = [f for f in found if start <= f[0] < start + 60]
            if part:
                held = mean(low <= truth <= high for _, truth, low, high in part)
                width, truth = median(high - low for *_, low, high in part), median(f[1] for f in part)
                print(f"  from turn {start:3}: {100 * held:5.1f} %, median truth {truth}, median width {width}")
    truth, rate = speed()
    print(f"{rate:,.0f} imagined worlds a second in mid-game on 16×9, {truth} enemy units hidden")


if __name__ == "__main__":
    main()
