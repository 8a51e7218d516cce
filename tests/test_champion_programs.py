"""Champions as programs: found, built, run, refused; whole matches between them; what they do wrong harms nobody."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from champion_scene import Seated, final, position, team
from quincunx.champions import command_of
from quincunx.cli.app import run
from quincunx.core.words import Refused
from quincunx.games import load
from quincunx.match import Match
from quincunx.match.record import Played
from quincunx.players.programs.naming import make_program, preset_for
from quincunx.players.table import Table

PROBES = Path(__file__).parent / "champions"
SAMPLES = PROBES.parent.parent / "docs" / "champions"
needs_compiler = pytest.mark.skipif(not (shutil.which("cc") and shutil.which("c++")), reason="no C compiler here")
GAME = load("casus_belli", "interpreted")
FIELD = "\n".join(["." * 13] * 13)
START = position(FIELD, [team("6,6 N", "2,6 N", "6,12 N"), team("6,5 S", "12,0 S", "0,12 E")])

DOES_NOTHING = {
    ".py": "def partie_init(): pass\njouer_placement = jouer_deplacement = jouer_attaque = partie_fin = partie_init\n",
    ".c": "".join(
        f"void {name}(void) {{}}\n" for name in ("partie_init", "jouer_placement", "jouer_attaque", "partie_fin")
    ),
}


def one_phase(file: Path, scripts: Path) -> tuple[list[str], list[str]]:
    """What a champion orders in a phase of moves, and what it prints."""
    champion = Seated(command_of(f"champion:{file}"), scripts)
    champion.begin(final(START))
    return champion.phase(), champion.end()


def written(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, "utf-8")
    return folder / name


# -- Python ---------------------------------------------------------------------------------------------------------


def test_an_error_is_printed_and_the_orders_before_it_stand(tmp_path: Path) -> None:
    source = """
    def jouer_deplacement():
        perso_deplace(perso_classe_info(PERSO_ELFE), [(6, 11)], ORIENTATION_SUD)
        raise ValueError("too far")
    """.replace("\n    ", "\n")
    orders, notes = one_phase(written(tmp_path, "hasty.py", source), tmp_path)
    assert orders == ["elf path N face S", "seal"]
    assert notes[:4] == [f"hasty.py does not define {name}()." for name in
                         ("partie_init", "jouer_placement", "jouer_attaque", "partie_fin")]  # fmt: skip
    assert notes[-1] == "ValueError: too far"


def test_names_are_there_with_and_without_an_import(tmp_path: Path) -> None:
    source = (
        DOES_NOTHING[".py"]
        + """
import api
import helper
from _api import perso_classe_info as info

def jouer_deplacement():
    assert api.OK is OK and type(carte_taille()) is api.position and carte_taille().x == 13
    assert info(api.perso_classe.PERSO_ELFE).classe == api.PERSO_ELFE == perso_elfe == 2
    api.perso_deplace(info(0), [helper.ahead(*perso_position(info(0)))], orientation_est)
    print("done")
"""
    )
    written(tmp_path, "helper.py", "def ahead(x, y):\n    return x, y - 1\n")
    assert one_phase(written(tmp_path, "sober.py", source), tmp_path) == (["thief path N face E", "seal"], ["done"])


def test_a_champion_in_python_2_is_understood(tmp_path: Path) -> None:
    pytest.importorskip("lib2to3")
    source = (
        DOES_NOTHING[".py"]
        + """
def jouer_deplacement():
    half = carte_taille()[0] / 2
    half /= 2
    all = [7, half]
    all[0] /= 2
    print 'half is', all, 7 / 2.0
    cells = map(lambda (x, y): (x + 0, y), [(6, 5)])
    if cells[0] <> (0, 0) and not {}.has_key(1):
        perso_deplace(perso_classe_info(PERSO_VOLEUR), cells, ORIENTATION_NORD)
"""
    )
    orders, notes = one_phase(written(tmp_path, "old.py", source), tmp_path)
    assert orders == ["thief path N face N", "seal"]
    assert notes == ["old.py is read as Python 2.", "half is [3, 3] 3.5"]


def test_a_champion_in_python_2_may_have_divided_as_we_do(tmp_path: Path) -> None:
    pytest.importorskip("lib2to3")
    divides = "def jouer_deplacement():\n    print 7 / 2\n"
    source = "from __future__ import division\n" + DOES_NOTHING[".py"] + divides
    assert one_phase(written(tmp_path, "modern.py", source), tmp_path)[1][-1] == "3.5"


def test_a_file_that_is_no_python_at_all_ends_the_program(tmp_path: Path) -> None:
    champion = Seated(command_of(f"champion:{written(tmp_path, 'no.py', 'def (')}"), tmp_path)
    champion.begin(final(START))
    _, notes = champion.process.communicate(timeout=20)
    assert champion.process.returncode == 1 and b"SyntaxError" in notes


@pytest.mark.parametrize("name", ["probe.py", pytest.param("probe.c", marks=needs_compiler)])
def test_other_games_and_other_rules_are_refused(tmp_path: Path, name: str) -> None:
    champion = Seated(command_of(f"champion:{PROBES / name}"), tmp_path)
    champion.begin(Match(GAME, "seed", seats=2))
    _, notes = champion.process.communicate(timeout=20)
    assert champion.process.returncode != 0 and b"preset `final`" in notes


@pytest.mark.parametrize("name", ["probe.py", pytest.param("probe.c", marks=needs_compiler)])
def test_a_refused_order_is_left_out_and_unknown_words_are_not_heard(tmp_path: Path, name: str) -> None:
    champion = Seated(command_of(f"champion:{PROBES / name}"), tmp_path)
    champion.script("jouer_deplacement", "deplace 0 0 0 6 5", "deplace 0 1 0 2 5")
    champion.begin(final(START))
    champion._say({"type": "thinking", "depth": 3, "line": ['\u00e9\U0001f3b2 \\ " \n']})
    champion.update()
    assert champion._hear()["action"] == "thief path N face N"
    champion._say({"type": "refused", "id": "1", "code": "blocked", "words": {"fr": "…", "en": "…"}})
    assert champion._hear()["action"] == "barbarian path N face N"
    champion._say({"type": "refused", "id": "2", "code": "blocked", "words": {"fr": "…", "en": "…"}})
    assert champion._hear()["action"] == "seal"
    assert champion.end()[-2:] == ["refused: blocked"] * 2


# -- C and C++ ------------------------------------------------------------------------------------------------------

FRAME = """
void partie_init(void) {{}}
void jouer_placement(void) {{}}
void jouer_deplacement(void) {{ {body} }}
void jouer_attaque(void) {{}}
void partie_fin(void) {{}}
"""


@needs_compiler
def test_a_source_in_lower_case_compiles_as_it_is(tmp_path: Path) -> None:
    body = (
        "position p = {6, 11}; if (perso_deplace(perso_classe_info(perso_elfe), &p, 1, orientation_sud) != ok) abort();"
    )
    source = '#include "prologin.h"\n' + FRAME.format(body=body)
    assert one_phase(written(tmp_path, "low.c", source), tmp_path)[0] == ["elf path N face S", "seal"]


@needs_compiler
def test_what_compilers_of_its_time_only_warned_of_compiles_still(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    warned = ("implicit-function-declaration", "implicit-int", "int-conversion", "incompatible-pointer-types")
    monkeypatch.setenv("CC", " ".join(["cc", *(f"-Werror={name}" for name in warned)]))
    body = "const count = two(); char *text = count; int *cells = (float *)text; if (count != 2 || !cells) abort();"
    source = '#include "prologin.h"\n' + FRAME.format(body=body) + "int two(void) { return 2; }\n"
    assert one_phase(written(tmp_path, "lax.c", source), tmp_path)[0] == ["seal"]


@needs_compiler
def test_a_source_may_have_an_ok_of_its_own(tmp_path: Path) -> None:
    source = '#include "prologin.h"\nint ok = OK;\n' + FRAME.format(body="if (ok != 4) abort();")
    assert one_phase(written(tmp_path, "own.c", source), tmp_path)[0] == ["seal"]


@needs_compiler
@pytest.mark.parametrize("header", ["prologin.hh", "api.hh"])
def test_comparisons_and_hashes_are_there_and_stand_back(tmp_path: Path, header: str) -> None:
    body = """
    std::set<position> set = {{6, 11}, {6, 10}, {6, 11}};
    std::unordered_set<position> bag(set.begin(), set.end());
    std::unordered_map<std::vector<position>, int> ways = {{{{6, 11}, {6, 10}}, 2}};
    if (ways[{{6, 11}, {6, 10}}] != 2) abort();
    std::map<perso_info, int> last = {{perso_classe_info(PERSO_ELFE), 1}};
    if (bag.size() != 2 || last.size() != 1) abort();
    if (!(*set.begin() == position{6, 10}) || *set.begin() != position{6, 10}) abort();
    perso_deplace(perso_classe_info(PERSO_ELFE), {{6, 11}}, ORIENTATION_SUD);
    """
    headers = (f'"{header}"', "<cstdlib>", "<map>", "<set>", "<unordered_map>", "<unordered_set>")
    given = "".join(f"#include {name}\n" for name in headers)
    frame = FRAME.replace("{{", "{").replace("}}", "}").replace("{body}", body)
    own = """
    bool operator==(const position& a, const position& b) { return a.x == b.x && a.y == b.y; }
    bool operator<(position a, position b) { return a.y < b.y || (a.y == b.y && a.x < b.x); }
    namespace std { template <> struct hash<position> { size_t operator()(const position& p) const { return p.x; } }; }
    """
    within = own.replace("namespace std { template <> struct hash", "template <> struct std::hash").replace(
        "; } }; }", "; } };"
    )
    written(tmp_path, "mine.hh", own)
    sources = {
        "given.cc": given,
        "own.cpp": given + own,
        "named.cpp": given + within,
        "class.cpp": given + own.replace("struct hash<position> {", "class hash<position> { public:"),
        "beside.cpp": given + '#include "mine.hh"\n',
    }
    for name, head in sources.items():
        source = head + frame
        assert one_phase(written(tmp_path, name, source), tmp_path)[0] == ["elf path N face S", "seal"]


@needs_compiler
def test_a_header_of_the_contest_beside_the_source_is_taken(tmp_path: Path) -> None:
    """Such a header defines the calls by functions with api_ in front."""
    header = """
    #include <vector>
    enum perso_classe { PERSO_VOLEUR, PERSO_BARBARE, PERSO_ELFE };
    enum orientation { ORIENTATION_NORD, ORIENTATION_EST, ORIENTATION_SUD, ORIENTATION_OUEST };
    enum erreur { POSITION_IMPOSSIBLE, PERSONNAGE_IMPOSSIBLE, CHEMIN_IMPOSSIBLE, ATTAQUE_INDISPONIBLE, OK };
    struct position { int x; int y; };
    struct perso_info { int equipe; perso_classe classe; int vie; orientation direction; };
    extern "C" perso_info api_perso_classe_info(perso_classe classe);
    extern "C" std::vector<position> api_chemin(position p1, position p2);
    extern "C" erreur api_perso_deplace(perso_info perso, std::vector<position> chemin, orientation direction);
    extern "C" { void partie_init(); void jouer_placement(); void jouer_deplacement(); void jouer_attaque();
                 void partie_fin(); }
    """
    body = "api_perso_deplace(api_perso_classe_info(PERSO_ELFE), api_chemin({6, 12}, {6, 10}), ORIENTATION_SUD);"
    written(tmp_path, "prologin.hh", header)
    source = '#include "prologin.hh"\n' + FRAME.format(body=body)
    assert one_phase(written(tmp_path, "old.cc", source), tmp_path)[0] == ["elf path NN face S", "seal"]


@needs_compiler
def test_what_does_not_compile_is_refused_with_the_compilers_words(tmp_path: Path) -> None:
    broken = written(tmp_path, "broken.c", '#include "prologin.h"\nint x = nothing;\n')
    with pytest.raises(Refused, match=r"does not compile:\n.*broken\.c:2.*nothing"):
        command_of(f"champion:{broken}")
    with pytest.raises(Refused, match="jouer_deplacement"):
        command_of(f"champion:{written(tmp_path, 'half.c', DOES_NOTHING['.c'])}")


@needs_compiler
def test_a_champion_is_built_once_and_again_when_something_changed(tmp_path: Path) -> None:
    source = written(tmp_path, "once.c", '#include "prologin.h"\n#include "mine.h"\n' + FRAME.format(body="MINE;"))
    mine = written(tmp_path, "mine.h", "#define MINE (void)0\n")
    first = command_of(f"champion:{source}")
    stamp = Path(first[0]).stat().st_ino
    assert command_of(f"champion:{source}") == first and Path(first[0]).stat().st_ino == stamp
    mine.write_text("#define MINE (void)1\n")
    assert command_of(f"champion:{source}") != first


@needs_compiler
def test_champion_build_makes_a_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "walker"
    assert run(["champion", "build", str(SAMPLES / "marcheur.c"), "-o", str(program)]) == 0
    assert "program:" in capsys.readouterr().out and program.stat().st_mode & 0o111


def test_without_a_compiler_it_is_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(Refused, match="a compiler is needed") as refused:
        command_of(f"champion:{SAMPLES / 'marcheur.c'}")
    assert refused.value.code == "no_compiler"


def test_a_file_that_is_no_champion_is_refused(tmp_path: Path) -> None:
    for name in (tmp_path / "nothing.py", written(tmp_path, "notes.txt", "")):
        with pytest.raises(Refused, match="a champion’s file"):
            command_of(f"champion:{name}")
    spaced = written(tmp_path, "a file.py", DOES_NOTHING[".py"])
    assert command_of(f"champion:{spaced}")[-1] == command_of(f"champion:'{spaced}'")[-1] == str(spaced)


@needs_compiler
def test_every_language_answers_alike(tmp_path: Path) -> None:
    """Thousands of questions on a map drawn by lot."""
    match = Match(GAME, "final", seats=3, seed=8, width=21, height=15, placement=0, turns=21)
    draw = random.Random(8)

    def cell() -> str:
        return f"{draw.randrange(-1, 22)} {draw.randrange(-1, 16)}"

    asked = [f"vision {k}" for k in range(3)] + [f"voit {k}" for k in range(3)]
    for _ in range(600):
        asked += [f"distance {cell()} {cell()}", f"chemin {cell()} {cell()}", f"zone {cell()}", f"persos {cell()}"]
    said = []
    for name in ("probe.py", "probe.c", "probe_arrays.c", "probe.cc"):
        champion = Seated(command_of(f"champion:{PROBES / name}"), tmp_path)
        champion.script("jouer_deplacement", *asked)
        champion.begin(Match(GAME, "final", position=GAME.position(match.world), seats=3))
        assert champion.phase(["seal"], ["seal"]) == ["seal"]
        said.append(champion.end())
    assert len(said[0]) == len(asked) and said.count(said[0]) == len(said)


# -- whole matches --------------------------------------------------------------------------------------------------


@pytest.fixture
def played(request: pytest.FixtureRequest) -> Iterator[tuple[Match, list[str]]]:
    specs = [f"champion:{SAMPLES / name}" for name in request.param]
    programs = [make_program(spec, GAME) for spec in specs]
    match = Match(GAME, preset_for(specs), seats=len(specs), seed=3, width=13, height=13, placement=2, turns=24)
    try:
        Table(match, programs).play()
        yield match, [program.notes() for program in programs]
    finally:
        for program in programs:
            program.close()


@pytest.mark.parametrize(
    "played",
    [
        ("guetteur.py", "guetteur.py"),
        pytest.param(("guetteur.py", "marcheur.c", "archer.cc"), marks=needs_compiler),
    ],
    indirect=True,
    ids=["python", "python, C and C++"],
)
def test_champions_meet(played: tuple[Match, list[str]]) -> None:
    match, notes = played
    assert match.outcome is not None and match.outcome.reason == "played" and not match.gone
    assert not any("refused" in note or "Traceback" in note for note in notes)
    orders = [entry.action for entry in match.record().entries if isinstance(entry, Played)]
    assert any(" path " in order for order in orders) and any(" attack " in order for order in orders)


def test_a_champion_plays_its_own_game_with_the_rules_of_its_contest() -> None:
    assert preset_for([f"champion:{SAMPLES / 'guetteur.py'}", "random"]) == "final"
    with pytest.raises(Refused, match="casus_belli"):
        make_program(f"champion:{SAMPLES / 'guetteur.py'}", load("khet", "interpreted"))
