"""`quincunx games`: all of them in short, or one of them in full: presets, options, setups, levels, notation."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from quincunx.cli.speech import language, out, tr
from quincunx.core.card import Card
from quincunx.core.options import Option, Preset, Value
from quincunx.core.words import Words
from quincunx.games import Game, World, cards, load
from quincunx.players.levels import MOST, label, spec_of

FLAGS = {
    "dice": Words("dés", "dice"),
    "fog": Words("brouillard : chacun ne voit qu’une partie", "fog: nobody sees everything"),
    "simultaneous": Words("tous jouent en même temps", "all act at once"),
    "drawn": Words("départ tiré au sort", "the start is drawn at random"),
}


def games(
    only: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]…", help=tr("en dire tout, comme khet", "tell all of it, such as khet")),
    ] = None,
) -> None:
    chosen = [load(id, "interpreted") for id in only or [card.id for card in cards()]]
    for game in chosen:
        table = _in_full(game) if only else _in_short(game)
        out.print(table)
        out.print()


def _titled(card: Card) -> Table:
    table = Table(title=f"{card.name.of(language())}  [dim]({card.id})[/dim]", title_justify="left", box=None)
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(overflow="fold")
    seats = f"{card.seats[0]}" if card.seats[0] == card.seats[1] else f"{card.seats[0]}–{card.seats[1]}"
    table.add_row(tr("but", "aim"), card.summary.of(language()))
    table.add_row(tr("joueurs", "players"), seats)
    return table


def _in_short(game: Game) -> Table:
    spoken = language()
    table = _titled(game.card)
    table.add_row(tr("préréglages", "presets"), ", ".join(f"{p.name} ({p.label.of(spoken)})" for p in game.presets))
    if game.setups:
        table.add_row("--setup", ", ".join(f"{s.name} ({s.label.of(spoken)})" for s in game.setups))
    for option in game.options:
        table.add_row(f"--option {option.name}=", f"{option.label.of(spoken)} [dim]{_range(option)}[/dim]")
    return table


def _in_full(game: Game) -> Table:
    spoken = language()
    table = _titled(game.card)
    if game.card.seat_names:
        table.add_row(tr("places", "seats"), ", ".join(name.of(spoken) for name in game.card.seat_names))
    for flag, words in FLAGS.items():
        if getattr(game.card, flag):
            table.add_row("", words.of(spoken))
    for preset in game.presets:
        table.add_row(f"--preset {preset.name}", _preset(preset))
    for setup in game.setups:
        table.add_row(f"--setup {setup.name}", setup.label.of(spoken))
    for option in game.options:
        table.add_row(f"--option {option.name}=", f"{option.label.of(spoken)} [dim]{_range(option)}[/dim]")
        for choice in option.choices:
            table.add_row("", f"{choice.name} · [dim]{choice.label.of(spoken)}[/dim]")
    for number in range(1, MOST + 1):
        level = f"level:{number}"
        name = label(number).of(spoken).partition(" · ")[2]
        table.add_row(level, f"{name} · [dim]{spec_of(level, game)}[/dim]")
    for name, (_, words) in game.opponents.items():
        table.add_row(name, words.of(spoken))
    _add_notation(table, game.new())
    return table


def _preset(preset: Preset) -> str:
    changed = ", ".join(f"{name}={_written(value)}" for name, value in preset.options.items())
    return preset.label.of(language()) + (f" · [dim]{changed}[/dim]" if changed else "")


def _add_notation(table: Table, world: World) -> None:
    """What an action and a position look like, in the words that the game itself writes."""
    game, seat = world.game, world.game.turn(world)
    legal = game.legal(world)
    some = legal[:: max(1, len(legal) // 4)][:4]
    table.add_row(tr("un coup", "an action"), escape(" · ".join(game.texts(world, seat, some))))
    table.add_row(tr("une position", "a position"), escape(game.position(world)))


def _range(option: Option) -> str:
    among = {"bool": "on | off", "int": f"{option.low}–{option.high}"}.get(option.type)
    return f"({among or ' | '.join(c.name for c in option.choices)}; {_written(option.default)})"


def _written(value: Value) -> str:
    return ("off", "on")[value] if isinstance(value, bool) else str(value)
