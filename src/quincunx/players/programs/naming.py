"""Programs by name: what `program:…`, `codingame:…`, `champion:…` and `bot:…` stand for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from quincunx.champions import command_of as champion_command
from quincunx.core.options import Value, settle
from quincunx.core.words import Refused, Words, expected
from quincunx.games import Game
from quincunx.players.programs import bots, codingame
from quincunx.players.programs.codingame import CodinGameDialogue
from quincunx.players.programs.dialogue import Dialogue, JsonDialogue
from quincunx.players.programs.limits import Limits
from quincunx.players.programs.process import check_command, read_command
from quincunx.players.programs.program import Program

KINDS: dict[str, tuple[Callable[[str], list[str]], Callable[[], Dialogue]]] = {
    "program": (read_command, JsonDialogue),
    "codingame": (read_command, CodinGameDialogue),
    "champion": (champion_command, JsonDialogue),
}
GAMES = {"codingame": (codingame.GAME, codingame.PRESET), "champion": ("casus_belli", "final")}
OTHER_RULES = Words(
    "{} ne connaît que le préréglage {} (« {} »).", "{} knows the preset {} only (“{}”)."
)  # fmt: skip


def is_program(spec: str) -> bool:
    """Also one that a server runs for somebody else (`upload:…`), which only that server can make."""
    return spec.partition(":")[0] in (*KINDS, "bot", "upload")


def make_program(spec: str, game: Game, limits: Limits | None = None) -> Program:
    """The program that `spec` describes, not started yet; Refused if there is none such, or not for this game."""
    kind, _, rest = _meant(spec).partition(":")
    if kind not in KINDS:
        raise expected(Words("program:…, codingame:… ou champion:…", "program:…, codingame:… or champion:…"), spec)
    if not fits(f"{kind}:", game.card.id):
        raise expected(Words("{} pour {}", "{} for {}").format(f"{kind}:…", GAMES[kind][0]), game.card.id)
    command_of, speak = KINDS[kind]
    command = command_of(rest)
    check_command(command)
    return Program(spec, command, speak, limits)


def fits(spec: str, game: str) -> bool:
    """Does its protocol know this game?"""
    kind = spec.partition(":")[0]
    return kind not in GAMES or GAMES[kind][0] == game


def knows(kind: str, game: Game, options: Mapping[str, Value]) -> bool:
    """Can one with this protocol play by these rules? How large and how long a match is does not matter."""
    if kind not in GAMES:
        return True
    id, preset = GAMES[kind]
    if id != game.card.id:
        return False
    wanted = settle(game.options, game.presets, preset, {})
    return all(options[each.name] == wanted[each.name] for each in game.options if each.type != "int")


def check_rules(specs: Sequence[str], game: Game, options: Mapping[str, Value]) -> None:
    """Refuses rules that one of these programs was not written for."""
    for spec in filter(is_program, specs):
        kind = _meant(spec).partition(":")[0]
        if not knows(kind, game, options):
            preset = next(each for each in game.presets if each.name == GAMES[kind][1])
            raise Refused("other_rules", OTHER_RULES.format(spec, preset.name, preset.label))


def preset_for(specs: Sequence[str]) -> str | None:
    """The rules that a program was written for, where its protocol says so."""
    kinds = {_meant(spec).partition(":")[0] for spec in specs if is_program(spec)}
    return next((GAMES[kind][1] for kind in sorted(kinds) if kind in GAMES), None)


def game_of(specs: Sequence[str]) -> str | None:
    """The game that a program was written for, where its protocol knows only one."""
    kinds = {_meant(spec).partition(":")[0] for spec in specs if is_program(spec)}
    return next((GAMES[kind][0] for kind in sorted(kinds) if kind in GAMES), None)


def _meant(spec: str) -> str:
    return bots.spec_of(spec.removeprefix("bot:")) if spec.startswith("bot:") else spec
