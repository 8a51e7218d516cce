"""Champions that call the interface while they are loaded, as they could in the contest, and those in old Python."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from champion_scene import Seated, final, position, team
from quincunx.champions import command_of

needs_compiler = pytest.mark.skipif(not (shutil.which("cc") and shutil.which("c++")), reason="no C compiler here")
FIELD = "\n".join(["." * 13] * 13)
UNITS = [team("6,6 N", "2,6 N", "6,12 N", points=3), team("6,5 S", "12,0 S", "0,12 E", points=-2)]
START = position(FIELD, UNITS, start="4,7")

PYTHON = """
moi, taille, depart, points = mon_equipe(), carte_taille(), carte_depart(), scores()
devant = {moi: position(*perso_position(perso_classe_info(PERSO_VOLEUR)))}

def partie_init():
    print("%d %d,%d %d,%d %r" % (moi, taille.x, taille.y, depart.x, depart.y, points))

def jouer_deplacement():
    x, y = devant[moi]
    perso_deplace(perso_classe_info(PERSO_VOLEUR), [(x, y - 1)], ORIENTATION_EST)

def jouer_placement(): pass
jouer_attaque = partie_fin = jouer_placement
"""
CXX = """
#include "api.hh"
#include <iostream>
static const int moi = mon_equipe();
static const position taille = carte_taille(), depart = carte_depart();
static std::vector<int> points = scores();
struct Devant {
    position cell;
    Devant() : cell(perso_position(perso_classe_info(PERSO_VOLEUR))) { cell.y--; }
} devant;
void partie_init() {
    std::cout << moi << " " << taille.x << "," << taille.y << " " << depart.x << "," << depart.y;
    std::cout << " [" << points[0] << ", " << points[1] << "]" << std::endl;
}
void jouer_placement() {}
void jouer_deplacement() { perso_deplace(perso_classe_info(PERSO_VOLEUR), {devant.cell}, ORIENTATION_EST); }
void jouer_attaque() {}
void partie_fin() {}
"""


def seated(folder: Path, name: str, source: str) -> Seated:
    (folder / name).write_text(source, "utf-8")
    champion = Seated(command_of(f"champion:{folder / name}"), folder)
    champion.begin(final(START))
    return champion


@pytest.mark.parametrize(
    ("name", "source"), [("early.py", PYTHON), pytest.param("early.cc", CXX, marks=needs_compiler)]
)
def test_all_calls_are_answered_while_a_champion_is_loaded(tmp_path: Path, name: str, source: str) -> None:
    """Also in a second match, whose start is another."""
    champion = seated(tmp_path, name, source)
    assert champion.phase() == ["thief path N face E", "seal"]
    other = position(FIELD, [team("8,3 N", "2,6 N", "6,12 N", points=9), UNITS[1]], start="1,1")
    champion.begin(final(other))
    assert champion.phase() == ["thief path N face E", "seal"]
    assert champion.end() == ["0 13,13 4,7 [3, -2]", "0 13,13 1,1 [9, -2]"]


NOTHING = "def partie_init(): pass\njouer_placement = jouer_attaque = partie_fin = partie_init\n"


@pytest.mark.parametrize(
    "telling",
    [
        "for k in xrange(3): assert 7 / 2 == 3",
        "assert not {}.has_key(1) and 7 / 2 == 3",
        "assert [7 / 2 for _, _ in {1: 2}.iteritems()] == [3]",
        "assert isinstance('a', basestring) and unicode('b') == 'b' and 7 / 2 == 3",
        "for k in xrange(3): print('to nobody', end='')",
    ],
)
def test_a_champion_that_uses_what_only_python_2_had_is_in_python_2(tmp_path: Path, telling: str) -> None:
    pytest.importorskip("lib2to3")
    source = NOTHING + f'def jouer_deplacement():\n    {telling}\n    print("done")\n'
    champion = seated(tmp_path, "old.py", source)
    champion.phase()
    first, *_, last = champion.end()
    assert first == "old.py is read as Python 2." and last.endswith("done")


def test_a_champion_of_today_that_defines_the_old_names_stays_in_python_3(tmp_path: Path) -> None:
    source = NOTHING + "xrange = range\ndef jouer_deplacement():\n    print(7 / 2, list(xrange(2)))\n"
    champion = seated(tmp_path, "today.py", source)
    champion.phase()
    assert champion.end() == ["3.5 [0, 1]"]


def test_calls_drop_the_fractions_of_numbers(tmp_path: Path) -> None:
    source = NOTHING + (
        "def jouer_deplacement():\n"
        "    half = carte_taille().x / 2\n"
        "    print(half, carte_zone_type((half, half)) == ZONE_HERBE, distance((half, half), (half, 5.2)))\n"
        "    path = map(lambda cell: position(*cell), [(half, 5.9)])\n"
        "    perso_deplace(perso_classe_info(0.0), path, 1.0)\n"
    )
    champion = seated(tmp_path, "halves.py", source)
    assert champion.phase() == ["thief path N face E", "seal"]
    assert champion.end() == ["6.5 True 2"]
