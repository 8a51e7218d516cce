"""`quincunx telecom`: the course server that Chartichaud comes from, for the clients that were written for it."""

from __future__ import annotations

import asyncio
import mimetypes
import secrets
from pathlib import Path
from typing import Annotated, Any

import typer

from quincunx.cli import programs
from quincunx.cli.choices import Options, Seed, SetupName, load_compiled, new_world
from quincunx.cli.loop import quick_loop
from quincunx.cli.speech import language, say, tr
from quincunx.core.words import Refused, Words, expected
from quincunx.games import Game, load
from quincunx.match import Match, encode
from quincunx.match.clock import ClockRule
from quincunx.players import Player
from quincunx.players.programs.limits import Limits
from quincunx.players.programs.program import Program
from quincunx.players.roster import sit_down

GAME = "chartichaud"
PORT = 8080  # where the clients look for it
SIDES = ("A", "B")
LARGEST_PAGES = 32 * 2**20  # bytes of files, which are kept in memory
LISTENS = Words("Le serveur du cours écoute sur {}", "The course server listens on {}")
KEPT = Words("Partie gardée dans {}.", "The match is kept in {}.")


def telecom(
    host: Annotated[str, typer.Option(help=tr("adresse d’écoute", "address to listen on"))] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help=tr("port d’écoute", "port to listen on"))] = PORT,
    against: Annotated[
        str | None, typer.Option(help=tr("un joueur : level:3, bot:NOM…", "a player: level:3, bot:NAME…"))
    ] = None,
    seat: Annotated[
        str,
        typer.Option(help=tr("la place du client, avec --against : A ou B", "the client’s, with --against: A or B")),
    ] = "A",
    games: Annotated[
        int, typer.Option(min=1, max=10_000, help=tr("nombre de parties, l’une après l’autre", "matches in a row"))
    ] = 1,
    seconds: Annotated[
        float | None,
        typer.Option("--time", min=0.01, max=86400, help=tr("secondes par tour", "seconds for each turn")),
    ] = None,
    start: programs.Start = 10.0,
    isolate: programs.Isolate = False,
    log: programs.Log = None,
    width: Annotated[int | None, typer.Option(help=tr("largeur de la carte", "width of the map"))] = None,
    height: Annotated[int | None, typer.Option(help=tr("hauteur de la carte", "height of the map"))] = None,
    preset: Annotated[str, typer.Option(help=tr("un préréglage du jeu", "a preset of the game"))] = "telecom",
    setup: SetupName = None,
    option: Options = None,
    seed: Seed = None,
    save: Annotated[Path | None, typer.Option(help=tr("où garder la partie", "where to keep the record"))] = None,
    private: Annotated[
        bool,
        typer.Option(
            "--private/--spectators",
            help=tr("/view/all montre tout à tous, ou à la fin", "/view/all shows all to everyone, or at the end"),
        ),
    ] = False,
    page: Annotated[
        Path | None,
        typer.Option(help=tr("dossier de la page d’origine, servi à /", "folder of the original page, served at /")),
    ] = None,
) -> None:
    sizes = [f"{name}={n}" for name, n in (("width", width), ("height", height)) if n is not None]
    chosen = [*(option or []), *sizes]
    game = load_compiled(GAME) if against else load(GAME)
    first = secrets.randbits(32) if seed is None else seed
    new_world(game, preset, setup, chosen, first)  # refused now rather than when clients wait

    def begin(number: int) -> Match:
        world = new_world(game, preset, setup, chosen, first + number)
        options: dict[str, Any] = dict(world.options)
        return Match(game, position=game.position(world), seed=first + number, **options)

    def keep(number: int, match: Match) -> None:
        if save is not None:
            _write(_numbered(save, number, games), match)

    from quincunx.telecom.course import Plan

    rule = ClockRule() if seconds is None else ClockRule("move", turn=round(1000 * seconds))
    pages = {} if page is None else read_pages(page)
    limits = Limits(turn=Limits.turn if seconds is None else seconds, start=start, isolate=isolate)
    _run(Plan(games, begin, keep, rule, _computers(game, against, seat, limits), private, pages, log), host, port)


def _run(plan: Any, host: str, port: int) -> None:
    from quincunx.telecom.course import Course

    def listening(port: int) -> None:
        shown = f"[{host}]" if ":" in host else host
        say(LISTENS.format(f"http://{shown}:{port}"))

    async def serve() -> None:
        await Course(plan, say, language()).run(host, port, listening)

    with asyncio.Runner(loop_factory=quick_loop()) as runner:
        runner.run(serve())


def _computers(game: Game, against: str | None, seat: str, limits: Limits) -> dict[int, Player | Program]:
    if seat.upper() not in SIDES:
        raise expected(Words("A ou B", "A or B"), seat, "seat")
    if against is None:
        return {}
    return {1 - SIDES.index(seat.upper()): sit_down(against, game, limits=limits)}


def read_pages(folder: Path) -> dict[str, tuple[bytes, str]]:
    """The files of a folder under the addresses that they get; what is not in it cannot be asked for."""
    if not folder.is_dir():
        raise expected(Words("un dossier", "a folder"), str(folder))
    pages: dict[str, tuple[bytes, str]] = {}
    size = 0
    for file in sorted(folder.rglob("*")):
        if not file.is_file() or file.is_symlink():
            continue
        size += file.stat().st_size
        if size > LARGEST_PAGES:
            words = Words("Le dossier {} contient plus de 32 Mo.", "The folder {} holds more than 32 MB.")
            raise Refused("too_large", words.format(folder))
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        pages[f"/{file.relative_to(folder).as_posix()}"] = file.read_bytes(), kind
    return pages


def _numbered(file: Path, number: int, games: int) -> Path:
    """Of several matches each has a file of its own: match-1.json, match-2.json …"""
    return file if games == 1 else file.with_name(f"{file.stem}-{number + 1}{file.suffix}")


def _write(file: Path, match: Match) -> None:
    try:
        file.write_bytes(encode(match.record()))
    except OSError as error:
        words = Words("{} ne peut pas être écrit ({}).", "{} cannot be written ({}).")
        raise Refused("unwritable", words.format(file, error.strerror)) from None
    say(KEPT.format(file))
