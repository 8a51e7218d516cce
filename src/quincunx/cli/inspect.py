"""Looking at records and positions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from quincunx.cli.choices import read_text
from quincunx.cli.drawing import owner_style, print_board
from quincunx.cli.speech import language, out, say, tr
from quincunx.core.words import Refused, Words, expected
from quincunx.games import World, cards, load
from quincunx.match import Match, decode, replay

REASONS = {
    "played": Words("partie jouée jusqu’au bout", "played to the end"),
    "resign": Words("abandon", "resignation"),
    "time_out": Words("temps écoulé", "out of time"),
    "forfeit": Words("forfait", "forfeit"),
    "draw": Words("nulle par accord", "draw by agreement"),
    "adjudicated": Words("jugée avant la fin", "adjudicated before its end"),
    "abort": Words("partie interrompue", "aborted"),
}


def show(
    what: Annotated[
        str, typer.Argument(metavar="FILE|POSITION", help=tr("un fichier ou une position", "a file or a position"))
    ],
    game: Annotated[str | None, typer.Option(help=tr("le jeu, s’il y a un doute", "the game, if in doubt"))] = None,
) -> None:
    text = what
    try:
        is_file = Path(what).is_file()
    except (OSError, ValueError):
        is_file = False
    if is_file:
        text = read_text(Path(what))
        if text.lstrip().startswith("{"):
            show_match(replay(decode(text.encode())))
            return
    show_world(_recognise(text, game))


def _recognise(text: str, id: str | None) -> World:
    """The position or setup that a text describes, in the one game that can read it."""
    found: list[World] = []
    reasons: list[Refused] = []
    for card in cards() if id is None else [load(id, "interpreted").card]:
        game = load(card.id, "interpreted")
        try:
            found.append(game.new(position=text))
        except Refused as refused:
            reasons.append(refused)
            try:
                found.append(game.from_setup({}, text))
            except Refused as refused_setup:
                reasons.append(refused_setup)
    if found:
        return found[0]
    if id is not None:
        raise reasons[0]
    raise expected(Words("un fichier, ou la position d’un des jeux", "a file, or a position of one of the games"), text)


def show_world(world: World) -> None:
    game = world.game
    out.print(f"[bold]{game.card.name.of(language())}[/bold]")
    print_board(game.board(game.view(world, max(game.turn(world), 0))))
    out.print(game.position(world), markup=False, soft_wrap=True, style="dim")
    if not game.over(world):
        say(Words("À {} de jouer.", "{} to move.").format(game.card.seat_name(max(game.turn(world), 0))))


def show_match(match: Match) -> None:
    show_world(match.world)
    for seat, who in enumerate(match.seats):
        chair = Text(match.game.card.seat_name(seat).of(language()), style=owner_style(seat))
        out.print(chair, Text(f"{who.name} ({who.player})"))
    say(Words("{} actions.", "{} actions.").format(match.length))
    show_outcome(match)


def show_outcome(match: Match) -> None:
    if match.outcome is None:
        return
    winners = [match.seats[seat].name for seat, rank in enumerate(match.outcome.ranks) if rank == 1]
    reason = REASONS[match.outcome.reason]
    if len(winners) == 1:
        say(Words("{} gagne ({}).", "{} wins ({}).").format(winners[0], reason))
    else:
        say(Words("Égalité ({}).", "Draw ({}).").format(reason))


def replay_file(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=tr("une partie enregistrée", "a record"))],
    moves: Annotated[bool, typer.Option("--moves", help=tr("écrire chaque action", "print every action"))] = False,
) -> None:
    record = decode(read_text(file).encode())
    match = replay(record)
    if moves:
        for entry in record.entries:
            out.print(getattr(entry, "action", getattr(entry, "event", "")), markup=False)
    show_match(match)
    say(Words("Vérifié : {} entrées, tout concorde.", "Verified: {} entries, all agree.").format(len(record.entries)))
