"""Starter kits: every bot builds without a word, plays every game to its end, and bears what a referee may say.

Here in Python and on Node, which are always there, and a game of each of the others whose tools are found; `make kits`
installs the compilers of all and tries everything with them. What a bot is told here stands in these tests as text, so
that they know the protocol only.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
from settled import IDS

from quincunx.cli import main
from quincunx.core.words import Refused
from quincunx.games import cards, load
from quincunx.kits import language, languages, write_kit
from quincunx.kits.help import GameHelp, help_of
from quincunx.kits.languages import TEMPLATES
from quincunx.tournament import Series, play_one
from test_adding_a_game import nim  # noqa: F401
from test_typography import WRONG

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tools"))
kits = import_module("kits")

ALWAYS = ("python", "javascript", "typescript")
HERE = languages() if os.environ.get("QUINCUNX_KITS") == "all" else ALWAYS
FOUND = [id for id in languages() if id not in HERE and kits.has_tools(id)]
GAMES = [card.id for card in cards()]

Talk = Callable[..., list[dict[str, Any]]]


def slow_unless(quick: bool, *values: str) -> Any:
    return pytest.param(*values, marks=() if quick else pytest.mark.slow)


here = pytest.mark.parametrize("made_in", [slow_unless(id in ALWAYS, id) for id in HERE])
every_match = pytest.mark.parametrize(
    ("made_in", "game"),
    [slow_unless(id == "python" or (id in ALWAYS and game == "khet"), id, game) for id in HERE for game in GAMES],
)


@pytest.fixture(scope="module")
def khet(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of a bot for Khet in a language, built once."""
    folders: dict[str, Path] = {}

    def folder(made_in: str) -> Path:
        if made_in not in folders:
            folders[made_in] = tmp_path_factory.mktemp("kits") / made_in
            kits.built("khet", made_in, folders[made_in])
        return folders[made_in]

    return folder


# -- matches ------------------------------------------------------------------------------------------------------


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """To run what a README says, in its folder."""

    def enter(folder: Path) -> None:
        monkeypatch.chdir(folder)
        monkeypatch.setenv("PATH", kits.environment()["PATH"])

    return enter


def play(id: str, run: str, against: str) -> None:
    """By the rules, to the end, and nothing was refused."""
    game = load(id)
    others = game.seats(game.new()) - 1
    result = play_one(Series(id, (f"program:{run}", *[against] * others), 1, log="log"), 0)
    outcome = result.record.outcome
    assert outcome is not None and outcome.reason == "played", result.record.entries[-1]
    (log,) = Path("log").iterdir()
    turns = [json.loads(line) for line in log.read_text("utf-8").splitlines()[1:]]
    assert turns and [turn for turn in turns if turn["refused"] or turn["trouble"]] == []
    assert all(turn["notes"].count("\n") == 1 for turn in turns)  # what the example reads


@every_match
def test_a_bot_plays_to_the_end(made_in: str, game: str, tmp_path: Path, inside: Callable[[Path], None]) -> None:
    chosen = kits.built(game, made_in, tmp_path / "bot")
    inside(tmp_path / "bot")
    play(game, chosen.run, "level:1")


@pytest.mark.slow
@pytest.mark.parametrize("made_in", FOUND)
def test_a_bot_whose_tools_are_here_plays_to_the_end(
    made_in: str, tmp_path: Path, inside: Callable[[Path], None]
) -> None:
    chosen = kits.built("connect_four", made_in, tmp_path / "bot")
    inside(tmp_path / "bot")
    play("connect_four", chosen.run, "level:1")


def test_a_language_is_tried_if_all_its_tools_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    *others, last = [tmp_path / tool.partition(":")[0] for tool in language("java").tools]
    monkeypatch.setattr(kits, "environment", lambda: {"PATH": str(tmp_path)})
    for tool in others:
        says(tool, "exit 0")
    assert not kits.has_tools("java")
    says(last, "exit 1")  # a manager of toolchains that has none
    assert not kits.has_tools("java")
    says(last, "exit 0")
    assert kits.has_tools("java")


def says(tool: Path, what: str) -> None:
    tool.write_text(f"#!/bin/sh\n{what}\n", "utf-8")
    tool.chmod(0o755)


@pytest.mark.slow
@here
def test_the_odd_situations_of_check_bot(
    made_in: str, khet: Callable[[str], Path], inside: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    inside(khet(made_in))
    code = quincunx("--lang", "en", "check-bot", "--game", "khet", "--", *shlex.split(language(made_in).run))
    assert code == 0, capsys.readouterr().out


@pytest.mark.slow
def test_a_game_without_a_kit_has_one(nim: str, tmp_path: Path, inside: Callable[[Path], None]) -> None:  # noqa: F811
    chosen = kits.built(nim, "python", tmp_path / "bot")
    idea = (tmp_path / "bot" / chosen.idea).read_text("utf-8")
    assert "\n#   a1\n" in idea and "\n#   heaps\n" in idea and "len(view.legal)" in idea
    inside(tmp_path / "bot")
    play(nim, chosen.run, "random")


# -- what a referee may say -----------------------------------------------------------------------------------------

PIECES = [{"square": "F8", "colour": 1, "kind": "K"}, {"square": "E1", "colour": 0, "kind": "K"}]


def welcome(seat: int, **more: Any) -> dict[str, Any]:
    return {"type": "welcome", "protocol": 1, "match": "m", "game": "khet", "yours": [seat], "options": {}, **more}


def update(seat: int, legal: list[str], **more: Any) -> dict[str, Any]:
    said = {"type": "update", "n": 1, "observer": seat, "shown": {"pieces": PIECES}, "story": [], "legal": legal}
    return {**said, "to_act": [seat], "clocks": [None, 900], "seats": [], "outcome": None, **more}


@contextmanager
def started(folder: Path, made_in: str) -> Iterator[tuple[Talk, subprocess.Popen[bytes]]]:
    """A bot, and a way to say lines to it and hear so many answers."""
    command = shlex.split(language(made_in).run)
    process = subprocess.Popen(
        command, cwd=folder, env=kits.environment(), stdin=-1, stdout=-1, stderr=subprocess.DEVNULL
    )
    assert process.stdin and process.stdout

    def talk(*messages: dict[str, Any] | str, answers: int = 1) -> list[dict[str, Any]]:
        assert process.stdin and process.stdout
        lines = [each if isinstance(each, str) else json.dumps(each) for each in messages]
        process.stdin.write("".join(line + "\n" for line in lines).encode())
        process.stdin.flush()
        return [json.loads(process.stdout.readline()) for _ in range(answers)]

    try:
        yield talk, process
    finally:
        process.kill()
        process.communicate()


def leave(process: subprocess.Popen[bytes]) -> tuple[int, bytes]:
    """The end of the input: the exit code, and what it still says."""
    out, _ = process.communicate(timeout=60)
    return process.returncode, out


@here
def test_it_answers_when_it_is_to_act_and_leaves_when_its_input_ends(made_in: str, khet: Callable[[str], Path]) -> None:
    with started(khet(made_in), made_in) as (talk, process):
        over = {"reason": "played", "scores": [1, -1], "ranks": [1, 2]}
        (said,) = talk(
            welcome(0), update(0, ["a"], to_act=[1]), update(0, ["b"], to_act=[]), update(0, ["c"], to_act=[1, 0]),
        )  # fmt: skip
        assert said == {"type": "play", "id": said["id"], "seat": 0, "action": "c"}
        talk({"type": "accepted", "id": said["id"]}, update(0, ["d"], outcome=over), answers=0)
        assert leave(process) == (0, b"")


@here
def test_a_new_welcome_is_a_new_match_on_another_seat(made_in: str, khet: Callable[[str], Path]) -> None:
    with started(khet(made_in), made_in) as (talk, process):
        first = talk(welcome(0), update(0, ["a"]), update(0, ["b"]), answers=2)
        second = talk(welcome(1), update(1, ["c"], to_act=[0]), update(1, ["d"]))
        assert [(said["seat"], said["action"]) for said in first + second] == [(0, "a"), (0, "b"), (1, "d")]
        assert len({said["id"] for said in first}) == 2
        assert leave(process) == (0, b"")


@here
def test_what_it_does_not_know_is_ignored(made_in: str, khet: Callable[[str], Path]) -> None:
    deep = "[" * 60 + "]" * 60
    odd = '{"a":[true,false,null,-1.5e+3,0,12345678901234567890,{}, [ ] ,"\\u00e9"],"b":{"c":{"d":' + deep + "}}}"
    strange = f' {{ "type" : "weather" , "id": 7, "outcome": {odd}, "legal": 3 }} '
    padded = json.dumps(update(0, ["b"], id="99"))[:-1] + f', "\\u0066uture": {odd}}}'
    with started(khet(made_in), made_in) as (talk, process):
        said = talk(welcome(0, weather=json.loads(odd)), strange, '{"type":"pong"}', "", padded)
        assert said[0]["action"] == "b"
        assert leave(process) == (0, b"")


@here
def test_it_tries_another_action_when_one_is_refused(made_in: str, khet: Callable[[str], Path]) -> None:
    why = {"type": "refused", "code": "occupied", "words": {"fr": "Occupée.", "en": "Occupied."}}
    with started(khet(made_in), made_in) as (talk, process):
        said = talk(welcome(0), update(0, ["a", "b", "c"]))
        talk({**why, "id": None}, {**why, "id": "another"}, answers=0)
        for _ in range(2):
            said += talk({**why, "id": said[-1]["id"]})
        assert sorted(each["action"] for each in said) == ["a", "b", "c"]
        assert len({each["id"] for each in said}) == 3
        said = talk({**why, "id": said[-1]["id"]})  # all were refused: still an answer
        assert said[0]["action"] in "abc"
        assert leave(process) == (0, b"")


TEXTS = [
    "é ñ 漢字 😀 /",
    '"quoted" \\ back\\slash',
    "tab\tline\nreturn\rbell\x07\x08\x0c\x1f",
    "\u2028\u00a0\ufeff",
    "x" * 70_000,
]


@here
@pytest.mark.parametrize("escaped", [True, False])
def test_texts_come_back_as_they_went(made_in: str, escaped: bool, khet: Callable[[str], Path]) -> None:
    """Escapes, pairs of surrogates, letters of all lengths, long lines: its reader and writer of JSON are right."""
    lines = [json.dumps(update(0, [text]), ensure_ascii=escaped) for text in TEXTS]
    if escaped:
        lines = [line.replace("/", "\\/").replace("\\u00e9", "\\u00E9") for line in lines]
    with started(khet(made_in), made_in) as (talk, process):
        said = talk(welcome(0), *lines, answers=len(lines))
        assert [each["action"] for each in said] == TEXTS
        assert leave(process) == (0, b"")


LOUD = {  # how an idea of each language would print to the standard output
    "python": (", file=sys.stderr)", ")"),
    "javascript": ("console.error(", "console.log("),
    "typescript": ("console.error(", "console.log("),
    "java": ("System.err", "System.out"),
    "cpp": ("std::cerr", "std::cout"),
    "c": ("fprintf(stderr, ", "printf("),
    "go": ("os.Stderr", "os.Stdout"),
}


@here
def test_what_an_idea_prints_is_not_part_of_the_dialogue(made_in: str, tmp_path: Path) -> None:
    if made_in == "rust":
        assert "an idea writes its notes with eprintln!" in (TEMPLATES / "rust" / "bot.rs").read_text("utf-8")
        return
    chosen = write_kit("khet", made_in, tmp_path / "bot", "en")
    idea = tmp_path / "bot" / chosen.idea
    quiet, loud = LOUD[made_in]
    assert quiet in idea.read_text("utf-8")
    idea.write_text(idea.read_text("utf-8").replace(quiet, loud), encoding="utf-8")
    if chosen.build:
        kits.run(shlex.split(chosen.build), tmp_path / "bot")
    with started(tmp_path / "bot", made_in) as (talk, process):
        said = talk(welcome(0), update(0, ["a"]), update(0, ["b"]), answers=2)
        assert [each["action"] for each in said] == ["a", "b"]
        assert leave(process) == (0, b"")


# -- what a kit says ------------------------------------------------------------------------------------------------


def test_there_is_a_kit_for_each_of_eight_languages() -> None:
    assert set(languages()) == {"python", "javascript", "typescript", "java", "cpp", "c", "rust", "go"}


@pytest.mark.parametrize("id", IDS)
def test_what_a_kit_tells_of_a_game_is_so(id: str) -> None:
    """Its actions can be read, its fields are there, and the example asks for what is there."""
    game = load(id, "interpreted")
    world = game.new()
    told, shown = help_of(game), msgspec.to_builtins(game.show(game.view(world, 0)))
    assert 3 <= len(told.actions) <= 5 and told.example is not None
    for action in told.actions:
        game.parse(world, 0, action.text)
        assert action.fr and action.en
    assert all(field.name in shown and field.fr and field.en for field in told.fields)
    if told.example.number:
        assert isinstance(shown[told.example.number], int)
    else:
        item = shown[told.example.list][0]
        asked = [*told.example.where, told.example.mine, told.example.others, told.example.some, told.example.read]
        assert {name for name in asked if name} <= set(item)
        assert len([name for name in asked if name]) > 1  # at least one condition


def test_french_is_set_as_french_is() -> None:
    files = [*(ROOT / "src/quincunx/kits/templates/common").glob("*.fr.md")]
    files += [
        *(ROOT / "src/quincunx/games").glob("*/kit.toml"),
        *(ROOT / "src/quincunx/kits").glob("*/*/language.toml"),
    ]
    assert len(files) >= 1 + 6 + 8
    for file in files:
        text = file.read_text("utf-8")
        said = re.findall(r'^fr = "(.*)"$', text, re.MULTILINE) if file.suffix == ".toml" else [prose(text)]
        assert said and not [each for each in said if WRONG.search(each)], file


def prose(page: str) -> str:
    """Without code."""
    return re.sub(r"^```.*?^```$|`[^`]*`|^\|.*$|\{\{\w+\}\}", "x", page, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("spoken", ["fr", "en"])
@pytest.mark.parametrize("made_in", languages())
def test_nothing_is_left_to_fill_in(made_in: str, spoken: Literal["fr", "en"], tmp_path: Path) -> None:
    chosen = write_kit("chartichaud", made_in, tmp_path / "bot", spoken)
    texts = {file.name: file.read_text("utf-8") for file in (tmp_path / "bot").iterdir()}
    assert not any(re.search(r"\{\{\w+\}\}", text) for text in texts.values())
    assert {"README.md", chosen.idea} <= set(texts) and ("Makefile" in texts) == bool(chosen.build)
    readme, idea = texts["README.md"], texts[chosen.idea]
    word, label = {"fr": ("Un bot pour Chartichaud", "or en vue"), "en": ("A bot for Chartichaud", "gold in sight")}[
        spoken
    ]
    assert word in readme and label in idea
    assert f'quincunx match chartichaud "program:{chosen.run}" level:1' in readme and chosen.build in readme
    assert f"quincunx check-bot --game chartichaud -- {chosen.run}" in readme
    assert all(text in readme and text in idea for text in ("recruit military 4,5", "places", "harvest 4,5"))


@pytest.mark.slow
def test_types_of_the_python_kit(tmp_path: Path) -> None:
    write_kit("khet", "python", tmp_path / "bot", "en")
    checked = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "bot.py"]
    ran = subprocess.run(checked, cwd=tmp_path / "bot", capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout


@pytest.mark.parametrize("spoken", ["fr", "en"])
def test_the_page_about_kits_names_them_all(spoken: str) -> None:
    page = (ROOT / "docs" / f"kits.{spoken}.md").read_text("utf-8")
    played = page.partition("<!-- kits -->")[2].partition("<!-- /kits -->")[0]
    for id in languages():
        chosen = language(id)
        assert re.search(rf"^\| `{id}` \| `{re.escape(chosen.idea)}` \|.*\| `{chosen.run}` \|", page, re.MULTILINE)
        (row,) = re.findall(rf"^\| {re.escape(chosen.name)} \|(.*)\|$", played, re.MULTILINE)
        cells = re.findall(r"(?:(?:won|lost|drawn), \d+, [\d.]+|(?:gagné|perdu|nul) · \d+ · [\d,]+) ms", row)
        assert len(cells) == len(IDS)


# -- the command ----------------------------------------------------------------------------------------------------


def quincunx(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(each) for each in arguments])
    assert isinstance(ended.value.code, int)
    return ended.value.code


@pytest.mark.parametrize(("spoken", "word"), [("fr", "Votre idée"), ("en", "Your idea")])
def test_the_command_writes_a_kit(spoken: str, word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "a" / "bot"
    assert quincunx("--lang", spoken, "new-bot", "khet", "--language", "rust", folder) == 0
    said = capsys.readouterr().out
    assert word in said and "rustc -O" in said and 'quincunx match khet "program:./bot" level:1' in said
    assert word in (folder / "idea.rs").read_text("utf-8")
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert quincunx("new-bot", "khet", folder) == 2  # what somebody has written is not written over
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def test_what_cannot_be_written_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    for wrong in (
        ("khet", "--language", "cobol", tmp_path / "b"),
        ("chess", tmp_path / "b"),
        ("khet", tmp_path / "file"),
    ):
        assert quincunx("--lang", "en", "new-bot", *wrong) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "b").exists()


def test_a_kit_toml_with_an_unknown_name_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.toml.decode(b'actions = []\nfields = []\nexemple = "x"', type=GameHelp)
    with pytest.raises(Refused):
        language("cobol")
