"""The documents are right: their examples run, their links lead somewhere, and every game is explained twice."""

from __future__ import annotations

import doctest
import importlib
import re
import sys
from importlib import import_module
from pathlib import Path

import pytest
from settled import IDS

import quincunx
from quincunx.core import contract
from quincunx.envs.encoding import Encoding
from quincunx.games import load
from quincunx.games.khet.rules import LEAVES
from quincunx.match import decode, encode, replay
from quincunx.players.roster import _TAKES

ROOT = Path(__file__).parent.parent
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]

named = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))


def without_code(text: str) -> str:
    return re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(path: Path) -> set[str]:
    """The names that a link may give to the headings of a document, after a #."""
    headings = re.findall(r"^#+ (.*)$", without_code(path.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_examples_about_python_run() -> None:
    ran = doctest.testfile(str(ROOT / "docs" / "python.md"), module_relative=False, encoding="utf-8")
    assert ran.attempted > 15 and ran.failed == 0


EXAMPLES_IN = (
    "quincunx",
    "quincunx.games",
    "quincunx.match.match",
    "quincunx.players",
    "quincunx.envs.encoding",
    "quincunx.envs.batches",
    "quincunx.envs.recording",
)


@pytest.mark.parametrize("module", EXAMPLES_IN)
def test_the_examples_of_docstrings_run(module: str) -> None:
    ran = doctest.testmod(importlib.import_module(module))
    assert ran.attempted > 0 and ran.failed == 0


def test_the_examples_about_environments_run() -> None:
    text = (ROOT / "docs" / "environments.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 5
    names: dict[str, object] = {"quincunx": quincunx}
    for block in blocks:
        exec(block, names)


def test_the_table_of_encodings_is_right() -> None:
    text = (ROOT / "docs" / "environments.md").read_text("utf-8")
    for id in IDS:
        game = load(id, "interpreted")
        encoding = Encoding(game)
        planes, height, width = encoding.shape
        fixed = f"{planes} × {height} × {width} | {len(encoding.scalars)} | {encoding.actions:,} |"
        of_map = f"{planes} × h × w | {len(encoding.scalars)} | "
        numbers = {"chartichaud": "1 + 12hw |", "casus_belli": f"{encoding.actions - 3 * height * width:,} + 3hw |"}
        assert f"| {game.card.name.en} | {of_map + numbers[id] if id in numbers else fixed}" in text
        assert id != "chartichaud" or encoding.actions == 1 + 12 * height * width


@named
def test_every_link_leads_somewhere(document: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", without_code(document.read_text("utf-8"))):
        if link.startswith("https://"):
            continue
        path, _, anchor = link.partition("#")
        target = (document.parent / path).resolve() if path else document
        assert target.exists() and ROOT in [target, *target.parents], link
        assert not anchor or anchor in anchors(target), link


@named
def test_code_blocks_are_closed(document: Path) -> None:
    assert len(re.findall(r"^\s*```", document.read_text("utf-8"), re.MULTILINE)) % 2 == 0


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("language", ["fr", "en"])
def test_every_game_is_explained(id: str, language: str) -> None:
    rules, details = (ROOT / "docs" / folder / f"{id}.{language}.md" for folder in ("rules", "reference"))
    text = rules.read_text("utf-8")
    game = load(id, "interpreted")
    assert text.startswith(f"# {game.card.name.of('fr' if language == 'fr' else 'en')}\n")
    text += details.read_text("utf-8") if details.exists() else ""
    assert all(f"`{option.name}`" in text for option in game.options)
    assert all(f"`{preset.name}`" in text for preset in game.presets[1:])  # the first is the default


@pytest.mark.parametrize("id", IDS)
def test_the_boards_of_the_rules_show_what_the_rules_do(id: str) -> None:
    """What tools/boards.py would write now is what is there; it refuses what cannot be played."""
    sys.path.insert(0, str(ROOT / "tools"))
    boards = importlib.import_module("boards")
    if boards.blocks(id) or boards.file_of(id).exists():
        assert boards.file_of(id).read_bytes() == boards.written(id), "python tools/boards.py"


@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_diagram_of_khet_is_the_classic_position(language: str) -> None:
    text = (ROOT / "docs" / "reference" / f"khet.{language}.md").read_text("utf-8")
    rows = re.findall(r"^[1-8]  ((?: +(?:\.|[a-zA-Z]{2,3}|[sS][/\\])){10})", text, re.MULTILINE)
    game = load("khet", "interpreted")
    drawn = game.from_setup(game.new().options, "\n".join(rows))
    assert game.position(drawn) == game.position(game.new(setup="classic"))


def test_beams_turn_as_the_rules_say() -> None:
    """What khet.en.md says of S/, S\\, PNE and PSE, against the table of the rules."""
    text = (ROOT / "docs" / "reference" / "khet.en.md").read_text("utf-8")
    direction = {"north": 0, "east": 1, "south": 2, "west": 3}
    columns = re.findall(r"(north|east|south|west) +leaves (north|east|south|west)", text)
    slash, backslash, pyramid = columns[0:8:2], columns[1:8:2], columns[8:]
    for pairs, piece in ((slash, 5 << 2 | 1), (backslash, 5 << 2), (pyramid, 3 << 2)):
        assert len(dict(pairs)) == (2 if pairs is pyramid else 4)
        assert all(LEAVES[piece][direction[a]] == direction[b] for a, b in pairs)
    assert "`PSE` sends a beam going west to the south and one going north to the east" in text
    assert (LEAVES[3 << 2 | 1][3], LEAVES[3 << 2 | 1][0]) == (2, 1)


@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_record_of_the_notation_page_is_one(language: str) -> None:
    text = (ROOT / "docs" / f"notation.{language}.md").read_text("utf-8")
    (example,) = re.findall(r"^```json\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    record = decode(example.encode())
    assert replay(record).record() == record and encode(record).decode() == example
    assert all(f"`{field}`" in text for field in record.__struct_fields__)


@pytest.mark.parametrize("language", ["fr", "en"])
def test_every_player_is_named_with_its_settings(language: str) -> None:
    text = (ROOT / "docs" / f"notation.{language}.md").read_text("utf-8")
    for player, settings in _TAKES.items():
        (line,) = re.findall(rf"^\| `{player}` \|(.*?)\|", text, re.MULTILINE)
        assert re.findall(r"`(\w+)`", line) == list(settings)


def test_every_command_is_in_the_documents() -> None:
    commands = import_module("quincunx.cli.commands").COMMANDS
    text = (ROOT / "docs" / "commands.md").read_text("utf-8")
    assert all(f"quincunx {command.name}" in text for command in commands)


def test_what_is_public_is_exported_and_nothing_else() -> None:
    rooms = (
        "champions cli core envs games kits learning loadtest match mcp offline players puzzles search server store "
        "telecom tournament"
    )
    public = {name for name in vars(quincunx) if not name.startswith("_")} | {"__version__"}
    assert set(quincunx.__all__) == public - set(rooms.split())
    assert quincunx.__all__ == sorted(quincunx.__all__, key=lambda name: (not name.isupper(), name))  # constants first


def test_the_glossary_has_each_word_once_in_order_and_all_of_the_contract() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    sections = [re.findall(r"^\| (\w.*?) \|", part, re.MULTILINE) for part in text.split("\n## ")[1:]]
    sections = [[word for word in section if word != "word"] for section in sections]
    words = [word for section in sections for word in section]
    assert len(words) == len(set(words)) > 80
    assert all(section == sorted(section, key=str.lower) for section in sections)
    spoken = {
        "turn",
        "legal",
        "check",
        "apply",
        "observe",
        "imagine",
        "fallback",
        "score",
        "CHANCE",
        "NOBODY",
        "PUBLIC",
    }
    assert spoken <= set(words) and spoken <= set(dir(contract))
