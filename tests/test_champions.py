"""The calls and values of the original contest, in Python, C and C++, on hand-made positions."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from champion_scene import GAME, Seated, final, position, team
from quincunx.champions import command_of
from quincunx.champions.python_host.answers import CALLS, ROLES, Answers
from quincunx.champions.python_host.contest import CONSTANTS, erreur, names, perso_info
from quincunx.core.words import Refused
from quincunx.match import Match

HERE = Path(__file__).parent / "champions"
COMPILES = shutil.which("cc") is not None and shutil.which("c++") is not None

Seat = Callable[[str], Seated]


@pytest.fixture(params=["probe.py", *(["probe.c", "probe_arrays.c", "probe.cc"] if COMPILES else [])])
def seated(request: pytest.FixtureRequest, tmp_path: Path) -> Seat:
    """The probe in each language, on seat 0 of a position."""

    def sit(text: str) -> Seated:
        champion = Seated(command_of(f"champion:{HERE / request.param}"), tmp_path)
        champion.begin(final(text))
        return champion

    return sit


def asked(champion: Seated, function: str, answers: dict[str, Any], orders: list[str] | None = None) -> None:
    """One phase in which the probe asks these questions, in this order, and must be answered so."""
    champion.script(function, *answers)
    assert champion.phase() == [*(orders or []), "seal"]
    assert champion.end() == [f"{question}: {answer}" for question, answer in answers.items()]


MAP = """
##########
#FFF_....#
#FFF_..T.#
#FFF_....#
#..._....#
#~~~_....#
#~T~_..###
#~~~_..#.#
##########
"""
AT_THE_START = position(MAP, [team(*["5,4 N"] * 3)] * 2, start="5,4", turns="10/20")
FIELD = "\n".join(["." * 13] * 13)


def test_the_map_and_the_match(seated: Seat) -> None:
    zones = {"zone 42 42": 6, "zone -1 0": 6, "zone 0 0": 4, "zone 1 1": 2, "zone 5 1": 0, "zone 7 2": 5}
    start = "0/0/10/0 0/1/10/0 0/2/10/0 1/0/10/0 1/1/10/0 1/2/10/0"
    counted = {"equipe": 0, "equipes": 2, "tour": 0, "placement": 10, "tours": 20, "scores": "0 0"}
    unit = {"position 0 1": "5,4", "position 1 1": "-1,-1", "info 2": "0/2/10/0", "info 7": "-1/0/-1/0"}
    answers = {"taille": "10,9", "depart": "5,4", **zones, "zone 4 2": 1, "zone 1 5": 3, "persos 5 4": start}
    asked(seated(AT_THE_START), "jouer_placement", {**answers, "persos 99 4": "", **counted, **unit})


def test_distances_and_paths(seated: Seat) -> None:
    asked(
        seated(AT_THE_START),
        "jouer_placement",
        {
            "distance 5 4 5 4": 0,
            "distance 5 4 5 2": 4,
            "distance 5 4 4 1": 5,  # onto the road first
            "chemin 5 4 4 1": "4,4 4,3 4,2 4,1",
            "distance 4 1 5 4": 4,  # a step is paid where it begins
            "chemin 4 1 5 4": "4,2 4,3 4,4 5,4",
            "distance 1 5 1 4": 4,  # out of the marsh
            "distance 1 4 1 5": 2,
            "distance 5 4 8 7": -1,  # walled in
            "chemin 5 4 8 7": "",
            "distance 5 4 0 0": -1,
            "distance 0 0 5 4": -1,
            "distance 5 4 10 4": -1,
            "chemin 5 4 -1 4": "",
            "chemin 1 1 1 1": "",
            "chemin 1 1 1 2": "1,2",
            "chemin 0 0 0 1": "",
        },
    )


def test_moves_are_checked_as_the_contest_did(seated: Seat) -> None:
    asked(
        seated(AT_THE_START),
        "jouer_placement",
        {
            "attaque 0 0 0 5 4": 3,  # not in the placement
            "deplace 1 0 0 5 3": 1,
            "deplace 0 3 0 5 3": 1,
            "deplace 0 0 0 5 2": 2,  # two cells away
            "deplace 0 0 0 5 4": 2,  # no step
            "deplace 0 0 7 5 3": 2,
            "deplace 0 2 0 5 3 5 2 5 1 5 0": 2,  # a wall
            "deplace 0 2 0 5 3 5 2 5 1 6 1": 2,  # eight points, and the elf has six
            "deplace 0 2 2 5 3 5 2 5 1": 4,
            "deplace 0 2 2 5 3": 1,  # it has its order
            "deplace 0 0 1 4 4 4 3 4 2 4 1": 4,
            "deplace 0 1 3": 4,
        },
        ["elf path NNN face S", "thief path WNNN face E", "barbarian face W"],
    )


def test_what_a_unit_sees(seated: Seat) -> None:
    rows = ["6,4 5,4 4,4", "7,3 6,3 5,3 4,3", "8,2 7,2 6,2 5,2 4,2", "8,1 7,1 6,1 5,1 4,1"]
    answers = {"vision 0": " ".join(rows), "voit 0": "5,4", "vision_de 1 0": "", "penombre 0": ""}
    asked(seated(AT_THE_START), "jouer_placement", {**answers, "palantir": "", "elfe": ""})


def test_forests_walls_and_towers(seated: Seat) -> None:
    """East of a thief beside a wall, in front of a forest; a barbarian on a tower; an elf in the forest."""
    rows = """
    .........
    ...#.....
    ..F......
    .........
    ....T.#..
    ...F.....
    .........
    """
    thief = [
        "2,2 2,3 2,4",
        "3,2 3,3 3,4",
        "4,0 4,2 4,3 4,4 4,6",
        "5,0 5,2 5,3 5,4 5,6",
        "6,0 6,2 6,3 6,6",
        "7,0 7,2 7,3 7,6",
    ]
    hidden = [(3, 1), (2, 2), (3, 5), (6, 4)]
    tower = [f"{x},{y}" for x in range(9) for y in range(7) if (x, y) not in hidden]
    elf = ["2,1 2,2 2,3", "3,0 3,2 3,3 3,4", "4,0 4,2 4,3 4,4 4,5", "5,0 5,2 5,3 5,4 5,5 5,6", "6,0 6,2 6,3 6,5 6,6"]
    asked(
        seated(position(rows, [team("2,3 E", "4,4 N", "2,2 E"), team(*["0,0 N"] * 3)])),
        "jouer_deplacement",
        {"vision 0": " ".join(thief), "vision 1": " ".join(tower), "vision 2": " ".join(elf)},
    )


FIGHT = position(
    FIELD,
    [
        team("6,6 N 10 2 0", "2,6 N 10 0 4", "6,12 N 10 0 4", points=3),
        team("6,5 S 7", "6,6 W 4", "0,12 E", points=-2),
    ],
    now="4.1",
    turns="2/20",
)


def test_who_is_seen_and_what_is_ready(seated: Seat) -> None:
    asked(
        seated(FIGHT),
        "jouer_attaque",
        {
            "voit 0": "6,6 6,5",
            "voit 2": "6,12",
            "persos 6 6": "0/0/10/0 1/1/4/3",
            "persos 6 5": "1/0/7/2",
            "persos 0 12": "",  # out of sight
            "info 0": "0/0/10/0",
            "recharge 0 0 0": 0,
            "recharge 0 0 1": 2,
            "recharge 0 0 2": 0,
            "recharge 0 0 6": -1,  # not a thief's
            "recharge 0 1 3": 0,
            "recharge 0 1 4": 4,
            "recharge 0 2 5": 0,
            "recharge 0 2 6": 4,
            "recharge 1 0 1": -1,  # not one's own
            "tour": 4,
            "scores": "3 -2",
        },
    )


def test_attacks_are_checked_as_the_contest_did(seated: Seat) -> None:
    asked(
        seated(FIGHT),
        "jouer_attaque",
        {
            "deplace 0 0 0": 2,  # not in this phase
            "attaque 1 0 0 6 5": 1,
            "attaque 0 5 0 6 5": 1,
            "attaque 0 0 6 6 5": 3,  # Loto is the elf's
            "attaque 0 0 1 6 5": 3,  # the palantír is not ready
            "attaque 0 0 0 6 4": 0,  # too far for a knife
            "attaque 0 0 0 6 7": 0,  # behind him
            "attaque 0 0 0 6 -1": 0,
            "attaque 0 0 2 6 5": 0,  # treachery is done on one's own cell
            "attaque 0 0 0 8 5": 4,
            "attaque 0 0 2 6 6": 1,  # he has his order
            "attaque 0 1 4 2 6": 3,
            "attaque 0 1 3 2 2": 0,  # four cells away, and the stick reaches three
            "attaque 0 1 3 2 3": 4,
            "attaque 0 2 6 0 0": 3,
            "attaque 0 2 0 0 12": 0,
            "attaque 0 2 0 0 1": 4,  # the thief sees that
        },
        ["thief attack 8,5", "barbarian bastoooon 2,3", "elf attack 0,1"],
    )


READY = position(FIELD, [team("6,6 N", "2,6 N", "6,12 N"), team("6,5 S", "12,0 S", "0,12 E")], now="4.1", turns="2/20")


def test_each_ability_in_our_notation(seated: Seat) -> None:
    champion = seated(READY)
    champion.script("jouer_attaque", "attaque 0 0 2 6 6", "attaque 0 1 4 12 12", "attaque 0 2 6 9 9")
    assert champion.phase() == ["thief treachery", "barbarian fus", "elf loto 9,9", "seal"]
    champion.end()


def test_penumbra_palantir_revealed_zone_and_cooldowns_over_two_turns(seated: Seat) -> None:
    mine, theirs = team("4,6 N", "0,8 S", "8,8 S"), team("2,3 S", "0,0 N", "8,0 N")
    champion = seated(position("\n".join(["." * 9] * 9), [mine, theirs]))
    looks = ["penombre 0", "penombre 1", "voit 0", "palantir", "elfe"]
    waits = ["recharge 0 0 1", "recharge 0 2 5"]
    champion.script("jouer_deplacement", "tour", *looks, *waits)
    champion.script("jouer_attaque", "tour", *looks, "attaque 0 0 1 4 4", "attaque 0 2 5 1 1")
    assert champion.phase(["thief path EEE", "seal"]) == ["seal"]
    assert champion.phase() == ["thief palantir 4,4", "elf reveal 1,1", "seal"]
    champion.phase()
    champion.script("jouer_attaque")
    champion.phase()
    champion.phase()
    said = [line.partition(": ")[2] for line in champion.end()]
    seen = "3,3 4,6 4,3 4,6 5,3 4,6"  # where the enemy thief passed, step by step, and where one stands oneself
    own = " ".join(["0,8"] * 3)
    everyone = "0,0 0,8 4,6 5,3 8,0 8,8"
    assert said[:8] == ["0", "", "", "4,6 2,3", "", "", "0", "0"]
    assert said[8:16] == ["0", seen, own, "4,6 5,3", "", "", "4", "4"]
    assert said[16:24] == ["1", seen, own, "4,6 5,3", everyone, "0,0 5,3", "2", "4"]
    assert said[24:] == ["2", "", "", "4,6 5,3", everyone, "", "1", "3"]


def test_a_view_that_has_the_penumbra_is_believed(seated: Seat) -> None:
    champion = seated(READY)
    champion.penumbra = [["1,2", "1,2", "3,4"], [], ["0,12"]]
    asked(champion, "jouer_attaque", {"penombre 0": "1,2 1,2 3,4", "penombre 1": "", "penombre 2": "0,12"})


def test_constants_values_and_their_names(seated: Seat) -> None:
    champion = seated(AT_THE_START)
    champion.script("partie_init", "constantes", "valeurs", "affiche")
    champion.phase()
    constants, values, *shown, _ = champion.end()
    assert constants == "constantes: 5 10 10 5 3 5 4 8 10 3 3 3 5 4 6 10 2 5 5"
    assert values == "valeurs: 0 1 2 0 1 2 3 4 5 6 0 1 2 3 4 5 6 0 1 2 3 0 1 2 3 4"
    assert shown == [
        "PERSO_ELFE", "ZONE_TOUR", "ATTAQUE_I_SEE", "ORIENTATION_OUEST", "OK", "{ x=3, y=4 }",
        "{ equipe=1, classe=PERSO_BARBARE, vie=10, direction=ORIENTATION_NORD }",
    ]  # fmt: skip


def test_the_five_functions_are_called_in_their_turn_and_a_new_match_finds_nothing_of_the_old(seated: Seat) -> None:
    text = position(FIELD, [team("6,6 N", "2,6 N", "6,12 N"), team("6,5 S", "12,0 S", "0,12 E")], turns="1/2")
    champion = seated(text)
    for name in ("partie_init", "jouer_placement", "jouer_deplacement", "jouer_attaque", "partie_fin"):
        champion.script(name, "appels", "tour")
    once = [line for call, turn in enumerate([0, 0, 1, 1, 2], 1) for line in (f"appels: {call}", f"tour: {turn}")]
    for _ in range(3):
        champion.phase()
    assert champion.match.over
    champion.update()
    champion.begin(final(text))
    for _ in range(3):
        champion.phase()
    assert champion.end() == once * 2


def test_values_in_python_are_integers_and_names_at_once() -> None:
    known = names()
    assert len(CALLS) == 22 and len(CONSTANTS) == 19 and all(known[name] == CONSTANTS[name] for name in CONSTANTS)
    assert known["ok"] is known["OK"] == known["erreur"].OK == 4 and known["perso_elfe"] == 2
    assert [known[f"{role}_VISION"] for role in ("VOLEUR", "BARBARE", "ELFE")] == [5, 4, 4]  # as they were called first
    assert known["position"](3, 4) == (3, 4) and known["perso_info"](0, 1, 10, 2).direction == 2


def test_a_champion_is_told_ok_exactly_when_the_game_takes_the_order() -> None:
    """Any order in any position: the host says of it what the rules say, both ways."""
    draw = random.Random(5)
    said: dict[bool, int] = {True: 0, False: 0}
    for seed in range(4):
        match = Match(GAME, "final", seats=2, seed=seed, width=13, height=13, placement=1, turns=24)
        while not match.over:
            seat = match.turn
            answers = Answers(seat)
            for _ in range(6):
                shown = answers_of(match, answers, seat)
                perso = perso_info(seat, draw.randrange(3), 10, 0)
                order = attack if shown["phase"] == "attacks" else march
                result, text = order(draw, answers, perso)
                assert (result == erreur.OK) == taken(match, seat, text), (shown, text)
                said[result == erreur.OK] += 1
                if result == erreur.OK:
                    match.play(answers.orders.pop(perso.classe), seat=seat)
            match.play("seal", seat=seat)
    assert min(said.values()) > 300


def attack(draw: random.Random, answers: Answers, perso: perso_info) -> tuple[erreur, str]:
    """One that the class has, anywhere; and the order as one would write it."""
    at = answers.perso_position(perso)
    x, y = draw.choice([(draw.randrange(-1, 14), draw.randrange(-1, 14)), (at.x + 1, at.y - draw.randrange(4)), at])
    what = draw.choice([0, 2 * perso.classe + 1, 2 * perso.classe + 2])
    word = ("attack", "palantir", "treachery", "bastoooon", "fus", "reveal", "loto")[what]
    if word == "treachery":
        x, y = at  # the contest wanted the cell named
    aim = "" if word in ("treachery", "fus") and answers.ground.has(x, y) else f" {x},{y}"
    return answers.perso_attaque(perso, what, (x, y)), f"{ROLES[perso.classe]} {word}{aim}"


def march(draw: random.Random, answers: Answers, perso: perso_info) -> tuple[erreur, str]:
    steps = "".join(draw.choice("NESW") for _ in range(draw.randrange(7)))
    cells, (x, y) = [], answers.perso_position(perso)
    for step in steps:
        x, y = x + (step == "E") - (step == "W"), y + (step == "S") - (step == "N")
        cells.append((x, y))
    return answers.perso_deplace(perso, cells, 2), f"{ROLES[perso.classe]} {f'path {steps} ' if steps else ''}face S"


def taken(match: Match, seat: int, text: str) -> bool:
    try:
        return match.game.check(match.world, seat, match.game.parse(match.world, seat, text)) is None
    except Refused:
        return False


def answers_of(match: Match, answers: Answers, seat: int) -> dict[str, Any]:
    shown: dict[str, Any] = msgspec.to_builtins(GAME.show(GAME.view(match.world, seat)))
    answers.take({**shown, "rows": list(shown["rows"])}, ())
    return shown
