"""Work for the machine: perft, speed, compiling."""

from __future__ import annotations

from time import perf_counter
from typing import Annotated

import typer
from rich.table import Table

from quincunx.cli.choices import (
    GameId,
    Gear,
    Options,
    Preset,
    Seed,
    SetupName,
    gear_name,
    new_world,
)
from quincunx.cli.speech import language, out, say, tr
from quincunx.core import cache, contract
from quincunx.core.words import Words
from quincunx.games import Game, cards, load
from quincunx.players.warming import warm
from quincunx.search import walk
from quincunx.search.perft import count_leaves


def perft(
    game: GameId,
    depth: Annotated[int, typer.Option(min=0, max=60, help=tr("nombre de coups", "number of actions"))],
    setup: SetupName = None,
    preset: Preset = None,
    option: Options = None,
    seed: Seed = None,
    gear: Gear = "compiled",
    divide: Annotated[bool, typer.Option("--divide", help=tr("par premier coup", "by first action"))] = False,
) -> None:
    bound = load(game, gear_name(gear))
    world = new_world(bound, preset, setup, option, seed)
    if divide and depth and not bound.over(world):
        seat, total = bound.turn(world), 0
        for action in bound.legal(world):
            after = bound.clone(world)
            bound.apply(after, seat, action)
            count = count_leaves(bound, after, depth - 1)
            total += count
            typer.echo(f"{bound.text(world, seat, action)}: {count}")
        typer.echo(str(total))
    else:
        typer.echo(str(count_leaves(bound, world, depth)))


def bench(
    only: Annotated[list[str] | None, typer.Argument(metavar="[GAME]…")] = None,
    seconds: Annotated[float, typer.Option(min=0.01, max=60, help=tr("par mesure", "for each figure"))] = 0.5,
) -> None:
    table = Table(title=tr("Parties au hasard, actions par seconde", "Random games, actions a second"))
    table.add_column(tr("jeu", "game"))
    for heading in (tr("compilé", "compiled"), tr("interprété", "interpreted"), "×"):
        table.add_column(heading, justify="right")
    for id in only or [card.id for card in cards()]:
        fast, slow = (_speed(load(id, gear), seconds) for gear in ("compiled", "interpreted"))
        name = load(id).card.name.of(language())
        table.add_row(name, f"{fast:,.0f}", f"{slow:,.0f}", f"{fast / slow:.0f}")
    out.print(table)


def _speed(game: Game, seconds: float) -> float:
    play = game.gear.bind(walk.random_games)
    world, room = game.new(seed=1), game.gear.rows(contract.State, 1)
    out_, log = game.gear.ints(game.rules.MAX_LEGAL), game.log(contract.NOBODY, silent=True)
    random = game.random(1)
    steps, began = 0, perf_counter()
    while perf_counter() - began < seconds:
        steps += play(world.terms, world.rows, 1, 5000, random, room, out_, log)
    return steps / (perf_counter() - began)


def warm_games(
    only: Annotated[list[str] | None, typer.Argument(metavar="[GAME]…")] = None,
    gear: Gear = "compiled",
) -> None:
    ids = only or [card.id for card in cards()]
    for id in ids:
        load(id, "interpreted")  # refuses an unknown one before anything starts
    began = perf_counter()
    for id in ids:
        with out.status(id):
            warm(id, gear_name(gear))
    cache.sweep()
    say(Words("Prêt en {:.1f} s.", "Ready in {:.1f} s.").format(perf_counter() - began))
