"""Cultist as the site plays it. A second, naive referee is written here from the ruling and plays the same lines."""

from __future__ import annotations

from collections import deque
from typing import Any

import pytest

from quincunx.core.contract import NOBODY
from quincunx.core.random import Random, below, seeded
from quincunx.core.words import Refused
from quincunx.games import World, load
from quincunx.games.cultist import notation
from quincunx.games.cultist.grid import cell_at
from quincunx.games.cultist.rules import (
    State,
    generated,
)
from quincunx.match.wire import Update
from quincunx.players.programs.codingame import CodinGameDialogue

GAME = load("cultist", "interpreted")
OPEN = "/".join(["." * 13] * 7)
AROUND = ((0, -1), (1, 0), (0, 1), (-1, 0))  # up, right, down, left
Cell = tuple[int, int]
Order = tuple[Any, ...]


def world(units: str, ground: str = OPEN, tail: str = "turn=0") -> World:
    return GAME.new("codingame", position=f"{ground} {units} {tail}")


def walls(*cells: Cell) -> str:
    return "/".join("".join("x" if (x, y) in cells else "." for x in range(13)) for y in range(7))


def meaning(w: World, line: str) -> str:
    """What a line comes to, or `refused`."""
    seat = GAME.turn(w)
    try:
        action = GAME.parse(w, seat, line)
    except Refused:
        return "refused"
    assert GAME.check(w, seat, action) is None and action in GAME.legal(w)
    return GAME.text(w, seat, action)


def play(w: World, line: str) -> list[str]:
    seat = GAME.turn(w)
    told = GAME.tell(w, 0, GAME.apply_and_log(w, seat, GAME.parse(w, seat, line), 0))
    return [type(event).__name__ for event in told]


# -- the naive referee ---------------------------------------------------------------------------------------------


class Site:
    def __init__(self, rows: list[str], units: list[str]) -> None:
        self.walls = {(x, y) for y in range(7) for x in range(13) if rows[y][x] == "x"}
        self.units: list[dict[str, int]] = []
        for line in units:
            number, leader, hp, x, y, owner = map(int, line.split())
            assert number == len(self.units)
            self.units.append({"leader": leader, "hp": hp, "x": x, "y": y, "owner": owner})
        self.seed = 42

    def lines(self) -> list[str]:
        alive = [(n, u) for n, u in enumerate(self.units) if u["hp"] > 0]
        lines = [f"{n} {u['leader']} {u['hp']} {u['x']} {u['y']} {u['owner']}" for n, u in alive]
        return [str(len(lines)), *lines]

    def at(self, cell: Cell) -> dict[str, int] | None:
        return next((u for u in self.units if u["hp"] > 0 and (u["x"], u["y"]) == cell), None)

    def order(self, seat: int, line: str) -> Order | None:
        """What the line comes to; None if it is invalid."""
        words = line.split()
        if words and words[0] == "WAIT":
            return ("WAIT",)
        try:
            number, verb, target = int(words[0]), words[1], int(words[2])
            y = int(words[3]) if verb == "MOVE" else 0
        except (ValueError, IndexError):
            return None
        if not 0 <= number < 14 or verb not in ("MOVE", "SHOOT", "CONVERT"):
            return None
        unit = self.units[number]
        if unit["owner"] != seat or unit["hp"] <= 0:
            return None
        if verb == "MOVE":
            return self.step(number, (target, y)) if 0 <= target < 13 and 0 <= y < 7 else None
        if not 0 <= target < 14 or self.units[target]["hp"] <= 0:
            return None
        other = self.units[target]
        far = abs(unit["x"] - other["x"]) + abs(unit["y"] - other["y"])
        if verb == "SHOOT" and (unit["leader"] or target == number):
            return None
        if verb == "CONVERT" and (not unit["leader"] or other["leader"] or other["owner"] == seat):
            return None
        if far > (6 if verb == "SHOOT" else 1):
            return self.step(number, (other["x"], other["y"]))
        return verb, number, target

    def step(self, number: int, goal: Cell) -> Order:
        here = (self.units[number]["x"], self.units[number]["y"])
        if here == goal:
            return ("WAIT",)
        if abs(here[0] - goal[0]) + abs(here[1] - goal[1]) == 1:
            return ("WAIT",) if goal in self.walls or self.at(goal) else ("MOVE", number, *goal)
        for units_block in (True, False):
            path = self.path(here, goal, units_block)
            if path:
                return ("WAIT",) if self.at(path[0]) else ("MOVE", number, *path[0])
        return ("WAIT",)

    def path(self, here: Cell, goal: Cell, units_block: bool) -> list[Cell]:
        parent: dict[Cell, Cell] = {here: here}
        queue = deque([here])
        while queue and goal not in parent:
            x, y = queue.popleft()
            for dx, dy in AROUND:
                near = (x + dx, y + dy)
                inside = 0 <= near[0] < 13 and 0 <= near[1] < 7
                blocked = near in self.walls or (units_block and self.at(near) is not None)
                if inside and near not in parent and (near == goal or not blocked):
                    parent[near] = (x, y)
                    queue.append(near)
        path = [goal] if goal in parent else []
        while path and parent[path[0]] != here:
            path.insert(0, parent[path[0]])
        return path

    def rand(self, bound: int) -> int:
        self.seed = (self.seed * 1103515245 + 12345) & 0x7FFFFFFF
        return self.seed % bound

    def play(self, seat: int, order: Order) -> None:
        taken = {(u["x"], u["y"]) for u in self.units if u["hp"] > 0}
        if order[0] == "MOVE":
            unit = self.units[order[1]]
            taken ^= {(unit["x"], unit["y"]), (order[2], order[3])}
            unit["x"], unit["y"] = order[2], order[3]
        elif order[0] == "CONVERT":
            self.units[order[2]]["owner"] = seat
        elif order[0] == "SHOOT":
            self.shoot(self.units[order[1]], self.units[order[2]])
        neutral = [u for u in self.units if u["owner"] == 2]
        i = self.rand(12)
        if i < len(neutral) and neutral[i]["hp"] > 0:
            x, y = neutral[i]["x"], neutral[i]["y"]
            free = [(x + dx, y + dy) for dx, dy in AROUND if 0 <= x + dx < 13 and 0 <= y + dy < 7]
            free = [cell for cell in free if cell not in taken and cell not in self.walls] or [(x, y)]
            neutral[i]["x"], neutral[i]["y"] = free[self.rand(len(free))]

    def shoot(self, unit: dict[str, int], other: dict[str, int]) -> None:
        a, b = (unit["x"], unit["y"]), (other["x"], other["y"])
        line = between(a, b) if a[1] <= b[1] else between(b, a)[::-1]
        for cell in [*line, b]:
            if cell in self.walls:
                return
            hit = self.at(cell)
            if hit is not None:
                hit["hp"] = max(0, hit["hp"] - (7 - abs(a[0] - cell[0]) - abs(a[1] - cell[1])))
                return


def between(a: Cell, b: Cell) -> list[Cell]:
    (x, y), dx, dy = a, abs(b[0] - a[0]), abs(b[1] - a[1])
    err, cells = dx - dy, []
    while (x, y) != b:
        cells.append((x, y))
        e2 = 2 * err
        if e2 > -dy:
            err, x = err - dy, x + (1 if b[0] > x else -1)
        if e2 < dx:
            err, y = err + dx, y + 1
    return cells[1:]


def lines_told(program: CodinGameDialogue, w: World) -> list[str]:
    """What a program on the seat to act is sent."""
    seat = max(GAME.turn(w), 0)
    update = Update(1, seat, GAME.show(GAME.view(w, seat)), (), (), (seat,), (None, None), ())
    return program.ask(update).decode().removesuffix("\n").split("\n")


def random_line(w: World, random: Random) -> str:
    """Mostly what a program may send, far or near; sometimes what it may not."""
    legal = GAME.legal(w)
    kind = below(random, 10)
    if kind < 4:
        strong = [a for a in legal if a >> 12 > 1] or legal  # shots and conversions, so that there is something to see
        return GAME.text(w, GAME.turn(w), strong[below(random, len(strong))])
    mine = [u for u in range(14) if GAME.state(w).owner[u] == GAME.turn(w) and GAME.state(w).hp[u]]
    unit = mine[below(random, len(mine))] if kind < 9 else below(random, 16)
    verb = ("MOVE", "SHOOT", "CONVERT", "CONVERT", "move", "SHOOT")[below(random, 6)]
    return f"{unit} {verb} {below(random, 15) - 1} {below(random, 9) - 1}"


@pytest.mark.parametrize("seed", range(12))
def test_the_naive_referee_agrees_after_every_line(seed: int) -> None:
    w, random = GAME.new("codingame", seed=seed), seeded(seed)
    programs = [CodinGameDialogue(), CodinGameDialogue()]
    head, turns = lines_told(programs[0], w), 0
    site = Site(head[2:9], head[10:])
    assert head[:2] == ["0", "13 7"] and head[9:] == site.lines()
    while GAME.turn(w) != NOBODY:
        seat, line = GAME.turn(w), random_line(w, random)
        order = site.order(seat, line)
        if order is None:
            assert meaning(w, line) == "refused", line
            continue
        words = ["WAIT"] if order == ("WAIT",) else [str(order[1]), order[0], *map(str, order[2:])]
        assert meaning(w, line) == " ".join(words), line
        site.play(seat, order)
        GAME.apply(w, seat, GAME.parse(w, seat, line))
        turns += 1
        said = lines_told(programs[turns % 2], w)
        assert said == (["1", *head[1:9], *site.lines()] if turns == 1 else site.lines())
        assert GAME.state(w).generator == site.seed
    assert turns == 150 or 0 in GAME.scores(w)
    assert any(unit["hp"] == 0 for unit in site.units)


# -- bullet by bullet ----------------------------------------------------------------------------------------------


def test_the_generator() -> None:
    s = State()
    s.generator = 42
    assert [generated(s, 12) for _ in range(20)] == [3, 8, 5, 10, 7, 0, 5, 6, 11, 8, 5, 6, 11, 4, 9, 2, 11, 8, 9, 10]


def after(times: int) -> int:
    seed = 42
    for _ in range(times):
        seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
    return seed


FOUR = "n10@2,0 n10@4,0 n10@6,0 n10@8,1"  # the first draw is 3: unit 5, at 8,1


def test_the_neutral_that_was_drawn_steps() -> None:
    """The second draw of four cells is 8 of 12, that is 0 of 4: up."""
    w = world(f"0L10@0,3 1L10@12,3 {FOUR}")
    assert play(w, "WAIT") == ["Waited", "Wandered"]
    s = GAME.state(w)
    assert s.generator == after(2) and notation.cell_name(s.cell[5]) == "8,0" and after(2) % 4 == 0


def test_the_dead_keep_their_place_and_there_is_no_second_draw() -> None:
    w = world(f"0L10@0,3 1L10@12,3 {FOUR.replace('n10@8,1', 'n0')}")
    assert play(w, "WAIT") == ["Waited"] and GAME.state(w).generator == after(1)
    w = world(f"0L10@0,3 1L10@12,3 n0 {FOUR.split(' ', 1)[1]}")
    play(w, "WAIT")
    assert notation.cell_name(GAME.state(w).cell[5]) == "8,0"


def test_converts_lose_their_place() -> None:
    w = world("0L10@0,3 1L10@12,3 0c10@2,0 n10@4,0 n10@6,0 n10@8,1 n10@10,6")
    assert play(w, "WAIT") == ["Waited", "Wandered"]
    assert notation.cell_name(GAME.state(w).cell[6]) != "10,6" and notation.cell_name(GAME.state(w).cell[5]) == "8,1"
    w = world("0L10@0,3 1L10@12,3 n10@1,3 n10@4,0 n10@6,0 n10@8,1 n10@10,6")
    play(w, "0 CONVERT 2")  # before the neutral is drawn
    assert notation.cell_name(GAME.state(w).cell[6]) != "10,6"


def test_a_draw_beyond_the_list_is_the_only_one() -> None:
    converted = " ".join(f"0c10@{x},6" for x in range(9))
    w = world(f"0L10@0,3 1L10@12,3 {converted} n10@2,0 n10@4,0 n10@6,0")
    assert play(w, "WAIT") == ["Waited"] and GAME.state(w).generator == after(1)


def test_the_boxed_in_draw_all_the_same_and_stay() -> None:
    w = world(f"0L10@0,3 1L10@12,3 {FOUR}", walls((8, 0), (7, 1), (9, 1), (8, 2)))
    assert play(w, "WAIT") == ["Waited"]
    assert GAME.state(w).generator == after(2) and notation.cell_name(GAME.state(w).cell[5]) == "8,1"


def test_the_neutral_takes_what_is_free_up_right_down_left() -> None:
    taken: list[str] = []
    for seed in range(40):
        w = world("0L10@0,3 1L10@12,3 " + " ".join(f"n10@{x},2" for x in range(0, 12)), tail=f"turn=0 random={seed}")
        play(w, "WAIT")
        taken += [cell for cell in map(notation.cell_name, GAME.state(w).cell[3:13]) if not cell.endswith(",2")]
    assert {cell[-1] for cell in taken} == {"1", "3"}  # beside them stand others


def test_who_dies_this_turn_bars_the_way_until_the_neutral_has_moved() -> None:
    units = "0L10@0,3 1L10@12,3 0c10@6,1 n10@4,0 n10@6,6 n10@8,6 n10@9,1 1c1@8,1"
    w = world(units, walls((9, 0), (10, 1), (9, 2)))  # drawn: the fourth neutral, 6, whose only way out is 8,1
    assert play(w, "2 SHOOT 7") == ["Shot", "Died"]
    s = GAME.state(w)
    assert notation.cell_name(s.cell[6]) == "9,1" and s.hp[7] == 0 and s.generator == after(2)
    assert s.board[cell_at(8, 1)] == 0  # now it is free


def test_a_neutral_shot_dead_this_turn_does_not_step() -> None:
    w = world("0L10@0,3 1L10@12,3 0c10@6,1 n10@4,0 n10@6,6 n10@8,6 n1@8,1")
    assert play(w, "2 SHOOT 6") == ["Shot", "Died"] and GAME.state(w).generator == after(1)


def test_anybody_else_may_be_a_target() -> None:
    w = world("0L10@4,5 1L10@12,3 0c10@4,3 n10@4,1 0c10@6,3 1c10@2,3")
    assert [meaning(w, f"2 SHOOT {t}") for t in (0, 3, 4, 5)] == [f"2 SHOOT {t}" for t in (0, 3, 4, 5)]
    play(w, "2 SHOOT 0")
    play(w, "WAIT")
    play(w, "2 SHOOT 4")
    assert GAME.state(w).hp[0] == 5 and GAME.state(w).hp[4] == 5


def test_the_blocker_nearest_to_the_shooter_is_hit() -> None:
    units = "0L10@0,6 1L10@12,3 0c10@2,2 1c10@7,2 0c10@6,2"
    w = world(units + " n10@5,2")
    play(w, "2 SHOOT 3")
    assert [GAME.state(w).hp[u] for u in (3, 4, 5)] == [10, 10, 6]  # by its own distance, 3
    w = world(units, walls((4, 2)))
    assert play(w, "2 SHOOT 3")[0] == "Shot" and GAME.state(w).hp[:5] == [10] * 5
    back = world("0L10@0,6 1L10@12,3 0c10@7,2 1c10@2,2 0c10@3,2 0c10@5,2")
    play(back, "2 SHOOT 3")
    assert [GAME.state(back).hp[u] for u in (3, 4, 5)] == [10, 10, 5]


def test_a_leaders_death_does_not_end_the_game_but_the_last_units_does() -> None:
    w = world("0L10@0,3 1L3@6,3 0c10@4,3 1c1@5,5")
    play(w, "2 SHOOT 1")
    assert GAME.turn(w) == 1 and GAME.scores(w) == [2, 1]
    play(w, "WAIT")
    play(w, "2 SHOOT 3")
    assert GAME.turn(w) == NOBODY
    mine = world("0L0 1L10@12,3 0c10@4,3 0c1@5,3")
    play(mine, "2 SHOOT 3")
    assert GAME.turn(mine) == 1 and GAME.scores(mine) == [1, 1]


def test_hp_stay_on_conversion() -> None:
    w = world("0L10@0,3 1L10@12,3 1c4@1,3")
    play(w, "0 CONVERT 2")
    assert GAME.state(w).hp[2] == 4 and GAME.state(w).owner[2] == 0


CROWD = "0L10@0,3 1L10@12,3 0c10@4,3 1c10@5,3 n10@0,2 0c10@11,3"


@pytest.mark.parametrize(
    ("line", "comes_to"),
    [
        ("WAIT", "WAIT"),
        ("WAIT for it", "WAIT"),
        ("2 MOVE 4 2", "2 MOVE 4 2"),
        ("2 MOVE 4 2 go go", "2 MOVE 4 2"),
        ("2 MOVE 4 3", "WAIT"),  # its own cell
        ("2 MOVE 5 3", "WAIT"),  # adjacent, but taken
        ("2 MOVE 3 3", "WAIT"),  # adjacent, but an obstacle
        ("2 MOVE 6 3", "2 MOVE 4 2"),  # round unit 3: up before down
        ("2 MOVE 5 2", "2 MOVE 4 2"),  # up before right
        ("2 MOVE 5 4", "2 MOVE 4 4"),  # right is taken
        ("2 MOVE 12 3", "2 MOVE 4 2"),  # onto a unit
        ("2 MOVE 1 1", "2 MOVE 4 2"),  # onto an obstacle
        ("0 CONVERT 4", "0 CONVERT 4"),
        ("0 CONVERT 4 please", "0 CONVERT 4"),
        ("0 CONVERT 3", "0 MOVE 1 3"),
        ("2 SHOOT 3", "2 SHOOT 3"),
        ("2 SHOOT 1", "2 MOVE 4 2"),
        ("5 SHOOT 1", "5 SHOOT 1"),
        ("2 SHOOT 5 9 9", "2 MOVE 4 2"),
        ("wait", "refused"),
        ("2 move 4 2", "refused"),
        ("2 WAIT", "refused"),
        ("2", "refused"),
        ("", "refused"),
        ("2 MOVE 4", "refused"),
        ("2 MOVE a b", "refused"),
        ("2 MOVE 13 3", "refused"),
        ("2 MOVE 4 -1", "refused"),
        ("2 MOVE 4 7", "refused"),
        ("3 MOVE 5 2", "refused"),
        ("4 MOVE 0 1", "refused"),
        ("6 MOVE 0 1", "refused"),  # dead
        ("14 MOVE 0 1", "refused"),
        ("-1 MOVE 0 1", "refused"),
        ("2 SHOOT 2", "refused"),
        ("2 SHOOT 6", "refused"),  # dead
        ("2 SHOOT 77", "refused"),
        ("0 SHOOT 3", "refused"),
        ("2 CONVERT 3", "refused"),
        ("0 CONVERT 1", "refused"),
        ("0 CONVERT 2", "refused"),
        ("0 CONVERT 6", "refused"),
    ],
)
def test_what_a_line_comes_to(line: str, comes_to: str) -> None:
    assert meaning(world(CROWD, walls((3, 3), (1, 1))), line) == comes_to


def test_without_a_path_it_goes_where_one_would_be_without_units() -> None:
    """The corridor 1..3,0 is barred by unit 3; then, one cell behind it, the first cell is taken."""
    ground = walls((0, 1), (1, 1), (2, 1), (3, 1))
    w = world("0L10@0,3 1L10@12,3 0c10@0,0 n10@2,0", ground)
    assert meaning(w, "2 MOVE 12 0") == "2 MOVE 1 0"
    assert meaning(world("0L10@0,3 1L10@12,3 0c10@1,0 n10@2,0", ground), "2 MOVE 12 0") == "WAIT"
    cell = walls((1, 0), (0, 1))
    assert meaning(world("0L10@0,3 1L10@12,3 0c10@0,0", cell), "2 MOVE 12 0") == "WAIT"  # no path at all


def test_the_protocol() -> None:
    w = world("0L9@0,3 1L10@12,3 1c7@4,4 n0 n10@5,6", walls((1, 0), (12, 6)), "turn=1")
    rows = [
        ".x...........",
        *[
            ".............",
        ]
        * 5,
        "............x",
    ]
    lines = ["4", "0 1 9 0 3 0", "1 1 10 12 3 1", "2 0 7 4 4 1", "4 0 10 5 6 2"]
    program = CodinGameDialogue()
    assert lines_told(program, w) == ["1", "13 7", *rows, *lines]
    assert lines_told(program, w) == lines


def test_the_preset_is_a_set_of_options() -> None:
    w = GAME.new("codingame", seed=1)
    options: dict[str, Any] = {
        "neutrals": "generator",
        "friendly_fire": True,
        "units_block": True,
        "codingame_orders": True,
    }
    assert GAME.to_bytes(GAME.new(seed=1, **options)) == GAME.to_bytes(w) and w.options["turns"] == 150
