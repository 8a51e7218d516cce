"""The page about bots is right, in both languages: sessions are real matches, tables have what the code has, and
commands run."""

from __future__ import annotations

import importlib
import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import jsonschema_rs
import msgspec
import pytest
from settled import IDS as GAMES

from quincunx.cli import main
from quincunx.core.board import Board, Event
from quincunx.core.words import Language, Words
from quincunx.games import package
from quincunx.match import Outcome, decode, wire
from quincunx.match.clock import ClockRule
from quincunx.players.programs import limits, process
from quincunx.players.programs.checkup import SITUATIONS
from quincunx.players.programs.flight import Turn
from quincunx.players.programs.isolation import HOMES
from quincunx.players.programs.limits import Limits
from test_programs import against_random
from test_server import Server
from test_typography import WRONG

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tools"))
sessions: Any = importlib.import_module("bot_sessions")

PAGES: dict[Language, str] = {language: page.read_text("utf-8") for language, page in sessions.PAGES.items()}
SCHEMA: dict[str, Any] = json.loads((ROOT / "docs" / "protocol.schema.json").read_text("utf-8"))
MEGA = 1 << 20

in_both = pytest.mark.parametrize("language", PAGES)
of_each = pytest.mark.parametrize("game", GAMES)


def blocks(page: str, kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)


def section(page: str, heading: str) -> str:
    """What stands under a heading, up to the next one."""
    (found,) = re.findall(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", page, re.MULTILINE | re.DOTALL)
    return str(found)


def table(text: str) -> list[list[str]]:
    """The rows of its only table, without the head."""
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def code(cell: str) -> str:
    assert cell.startswith("`") and cell.endswith("`"), cell
    return cell[1:-1]


# -- sessions -------------------------------------------------------------------------------------------------------


@in_both
def test_sessions_are_what_would_be_written_now(language: Language) -> None:
    assert sessions.written(language) == PAGES[language], "python tools/bot_sessions.py"
    assert sorted(found[2] for found in sessions.MARK.finditer(PAGES[language])) == sorted(GAMES)


@of_each
def test_the_whole_of_a_session_stands_in_a_file_that_the_pages_name(game: str) -> None:
    assert (sessions.FILES / f"{game}.jsonl").read_text("utf-8") == sessions.whole(game), "python tools/bot_sessions.py"
    assert all(f"(sessions/{game}.jsonl)" in page for page in PAGES.values())


def faults(component: str, message: object) -> list[str]:
    asked = {"$ref": f"#/components/schemas/{component}", "components": SCHEMA["components"]}
    return [f"{component}: {error.message}" for error in jsonschema_rs.iter_errors(asked, message)]


@of_each
def test_everything_that_is_said_in_a_session_fits_the_schema(game: str) -> None:
    whole = sessions.dialogue(game)
    assert {message["type"] for _, message in whole} >= {"welcome", "update", "play", "accepted"}
    for _, message in whole:
        found = faults(message["type"].title(), message)
        if message["type"] == "update":
            found += faults(f"{game}.Shown", message["shown"])
            found += [fault for event in message["story"] for fault in faults(f"{game}.Told", event)]
        assert not found


@of_each
def test_a_session_is_a_whole_match_whose_actions_are_legal(game: str) -> None:
    """Each was offered; where not all are, and for those that were sent together, the referee's word must do."""
    whole = [message for _, message in sessions.dialogue(game)]
    assert whole[0]["type"] == "welcome" and whole[-1]["outcome"]["ranks"]
    taken = {message["id"] for message in whole if message["type"] == "accepted"}
    refused = {message["id"] for message in whole if message["type"] == "refused"}
    plays = [message for message in whole if message["type"] == "play"]
    assert {play["id"] for play in plays} == taken | refused and not taken & refused
    asked = [
        (before, play) for before, play in pairwise(whole) if play["type"] == "play" and before["type"] == "update"
    ]
    for update, play in asked:
        assert update["to_act"] == [play["seat"]]
        offered = play["action"] in update["legal"]
        assert offered == (play["id"] in taken) or not whole[0]["lists_all"]


# -- tables ---------------------------------------------------------------------------------------------------------

PARTS: dict[str, Any] = {"Words": Words, "SeatShown": wire.SeatShown, "ClockRule": ClockRule, "Outcome": Outcome}
MESSAGES: dict[str, Any] = {
    str(word.__struct_config__.tag): word
    for union in (wire.ToServer, wire.ToClient, wire.ToArena, wire.FromArena)
    for word in get_args(union)
}
TYPES = {str: "string", int: "integer", bool: "boolean", float: "number", type(None): "null", Any: "any"}


def named(hint: Any) -> str:
    """A type as the page writes it."""
    inner = get_args(hint)
    match get_origin(hint):
        case kind if kind is Literal:
            return "string"
        case kind if kind in (Union, UnionType):
            return "/".join(named(each) for each in inner if each is not msgspec.UnsetType)
        case kind if kind in (tuple, list):
            return f"[{named(inner[0])}]"
        case kind if kind is dict:
            return f"{{{named(inner[0])}: {named(inner[1])}}}"
    return TYPES.get(hint) or str(hint.__name__)


def fields_of(struct: Any) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Name, type, and the values if there are only some."""
    hints = get_type_hints(struct)
    for name in struct.__struct_fields__:
        hint = hints[name]
        yield name, named(hint), get_args(hint) if get_origin(hint) is Literal else ()


@in_both
@pytest.mark.parametrize("name", [*MESSAGES, *PARTS, "Event"])
def test_every_field_of_every_message_is_explained(language: Language, name: str) -> None:
    struct = Event if name == "Event" else MESSAGES.get(name) or PARTS[name]
    rows = table(section(PAGES[language], f"`{name}`"))
    if name == "Event":
        assert rows.pop(0)[:2] == ["`kind`", "`string`"]
    expected = list(fields_of(struct))
    assert [(code(field), code(kind)) for field, kind, _ in rows] == [(field, kind) for field, kind, _ in expected]
    for (_, _, meaning), (_, _, values) in zip(rows, expected, strict=True):
        assert meaning and all(f"`{value}`" in meaning for value in values)


@in_both
def test_no_message_is_explained_that_does_not_exist(language: Language) -> None:
    explained = re.findall(r"^#### `(.*)`$", PAGES[language], re.MULTILINE)
    assert sorted(explained) == sorted([*MESSAGES, *PARTS, "Event", *(f"{game}.Shown" for game in GAMES)])
    assert Board.__name__ not in explained  # of it the schema tells


@in_both
@of_each
def test_every_field_of_every_view_is_explained(language: Language, game: str) -> None:
    view = get_type_hints(import_module(f"{package(game).__name__}.view").show)["return"]
    rows = table(section(PAGES[language], f"`{game}.Shown`"))
    assert [code(field) for field, _ in rows] == list(view.__struct_fields__) and all(meaning for _, meaning in rows)


@in_both
def test_the_log_is_explained(language: Language) -> None:
    heading = {"en": "The flight recorder", "fr": "L’enregistreur de vol"}[language]
    rows = table(section(PAGES[language], heading))
    assert [(code(field), code(kind)) for field, kind, _ in rows] == [field[:2] for field in fields_of(Turn)]


@in_both
def test_limits_are_those_of_the_code(language: Language) -> None:
    heading = {"en": "Clocks and limits", "fr": "Pendules et limites"}[language]
    most = Limits()
    assert [int(re.findall(r"\d+", row[1])[0]) for row in table(section(PAGES[language], heading))] == [
        most.turn, most.start, most.memory // MEGA, most.processes, most.file_size // MEGA,
        limits.LINE // MEGA, limits.UNASKED // MEGA, most.refusals,
    ]  # fmt: skip


@in_both
def test_every_way_to_fail_is_named(language: Language) -> None:
    heading = {"en": "When something goes wrong", "fr": "Quand quelque chose va mal"}[language]
    sources = (Path(process.__file__), ROOT / "src" / "quincunx" / "players" / "table.py")
    raised = {name for file in sources for name in re.findall(r'rouble\("(\w+)"', file.read_text("utf-8"))}
    assert {code(row[0]) for row in table(section(PAGES[language], heading))} == raised


@in_both
def test_the_situations_of_check_bot_are_listed(language: Language) -> None:
    listed = re.findall(r"^(\d+)\. \*\*(.*?)\*\*", PAGES[language], re.MULTILINE)
    assert listed == [(str(n), situation.name.of(language)) for n, situation in enumerate(SITUATIONS, 1)]


@in_both
def test_what_isolation_hides_is_said(language: Language) -> None:
    text = section(PAGES[language], {"en": "Isolation", "fr": "Isolement"}[language])
    assert all(f"`{home}`" in text for home in HOMES)


def test_french_is_set_as_french_is() -> None:
    text = re.sub(r"^```.*?^```|`[^`\n]*`|\(#?[\w.#-]*\)", "", PAGES["fr"], flags=re.MULTILINE | re.DOTALL)
    assert [found[0] for found in re.finditer(rf".*(?:{WRONG.pattern}).*", text)] == []


# -- commands and code ----------------------------------------------------------------------------------------------


def test_both_pages_show_the_same_commands_and_the_same_code() -> None:
    for kind in ("sh", "python"):
        assert blocks(PAGES["en"], kind) == blocks(PAGES["fr"], kind)


IDEA, BARE, LOG = blocks(PAGES["en"], "python")


def test_the_bot_without_a_kit_plays(tmp_path: Path) -> None:
    (tmp_path / "bare.py").write_text(BARE)
    match, reason = against_random(tmp_path / "bare.py", "garden")
    assert match.outcome is not None and match.outcome.reason == "played" and not reason


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path)
    server.start()
    yield server
    server.kill()


@pytest.fixture
def here(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which `python3` is the Python of these tests."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python3").symlink_to(sys.executable)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    monkeypatch.setenv("QUINCUNX_BOTS", str(tmp_path / "bots.json"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path


def can_isolate() -> bool:
    tried = ["bwrap", "--ro-bind", "/", "/", "--unshare-all", "true"]
    return shutil.which("bwrap") is not None and subprocess.run(tried, capture_output=True).returncode == 0


def run(line: str, capsys: pytest.CaptureFixture[str]) -> str:
    """A command of the page, in this process; what it prints."""
    with pytest.raises(SystemExit) as ended:
        main(["--lang", "en", *shlex.split(line)[1:]])
    said = capsys.readouterr()
    assert ended.value.code == 0, f"{line}: {said.out}{said.err}"
    return " ".join(said.out.split())


@pytest.mark.slow
def test_the_commands_of_the_page_run_one_after_the_other(
    server: Server, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seat = server.make("connect_four", {"kind": "program", "name": "Ada"}, {"kind": "computer", "player": "random"})
    token = seat["seats"][0]["token"]
    said = {}
    for number, block in enumerate(blocks(PAGES["en"], "sh")):
        for line in block.splitlines():
            match line.split():
                case ["pip", *_]:
                    continue
                case ["cd", folder]:
                    monkeypatch.chdir(folder)
                case [*_, "--isolate"] if not can_isolate():
                    continue
                case _:
                    there = line.replace("http://127.0.0.1:8765", server.url("/")).replace("TOKEN", token)
                    said[" ".join(line.split()[:3])] = run(there, capsys)
        if number == 0:  # the idea comes after the first match
            idea = Path("idea.py").read_text("utf-8")
            Path("idea.py").write_text(idea[: idea.index("def choose")] + IDEA, "utf-8")
    assert "All is well: 11 situations." in said["quincunx check-bot --game"]
    assert "bot:ada" in said["quincunx bots list"] and "program:python3" in said["quincunx bots list"]
    assert "The match is over" in said["quincunx bot --server"]
    assert json.loads(Path("khet.schema.json").read_text("utf-8"))["title"] == "Quincunx, protocol 1"
    records = [decode(file.read_bytes()) for file in sorted(Path("log").glob("*.json"))]
    won = [record.outcome and record.seats[record.outcome.ranks.index(1)].player for record in records]
    assert len(won) == 10 and sum(player == "program:python3 bot.py" for player in won) > 6
    exec(LOG)
    assert "discs played: 0" in capsys.readouterr().out
