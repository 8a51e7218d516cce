"""`quincunx load`: clients play real matches over the network, and it says what the server bears."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, nullcontext
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, TypeVar
from urllib.parse import SplitResult, urlsplit

import msgspec
import typer
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table

from quincunx.cli.loop import quick_loop
from quincunx.cli.speech import out, tr
from quincunx.core.words import Refused, Words, expected
from quincunx.games import load as load_game
from quincunx.loadtest import host
from quincunx.loadtest.clients import Clients, Times
from quincunx.loadtest.protocol import Quincunx

T = TypeVar("T")
MEGABYTE = 1e6
BARS = {False: 20.0, True: 60.0}  # milliseconds: p99 of 500 matches with a move a second each, and beside a neighbour
STAGES = ("acknowledgement", "commit")  # as the server's metrics name them


class Report(msgspec.Struct, frozen=True):
    """What `--json` keeps. Memory in bytes, of the server's processes; None where it cannot be seen."""

    game: str
    matches: int
    sockets: int
    rate: float | None
    times: Times | None
    moves_a_second: float | None
    memory_before: int | None
    memory_seated: int | None  # all sit, nothing is played yet
    memory_after: int | None
    processor: float | None  # milliseconds of the server's processor time for a move
    disk_p99: float | None  # milliseconds of a commit of the disk alone
    in_server: float | None = None  # milliseconds, mean: from a move that is read to its acknowledgement,
    committing: float | None = None  # and of those, until it is stored
    processes: int | None = None  # that serve and write; None where they cannot be seen
    neighbour: bool = False  # something else computed all the time
    bar: float | None = None  # milliseconds for p99, where there is one


def load(
    address: Annotated[
        str | None,
        typer.Argument(help=tr("http://hôte:port ; sinon un serveur démarre", "http://host:port; without, one starts")),
    ] = None,
    game: Annotated[str, typer.Option(help=tr("le jeu", "the game"))] = "khet",
    matches: Annotated[int, typer.Option(min=1, max=20_000, help=tr("parties à la fois", "matches at once"))] = 500,
    rate: Annotated[
        float, typer.Option(min=0.01, max=1000, help=tr("coups par seconde et partie", "moves a second and match"))
    ] = 1.0,
    seconds: Annotated[float, typer.Option(min=0.1, help=tr("durée de la mesure", "how long to measure"))] = 60.0,
    as_fast_as_possible: Annotated[
        bool, typer.Option("--as-fast-as-possible", help=tr("chaque coup dès que possible", "each move at once"))
    ] = False,
    idle: Annotated[
        int, typer.Option(min=0, max=20_000, help=tr("seulement ces sockets, muets", "only so many silent sockets"))
    ] = 0,
    database: Annotated[
        str | None, typer.Option(help=tr("base du serveur démarré", "database of the server that starts"))
    ] = None,
    processes: Annotated[
        int | None, typer.Option(min=1, help=tr("processus du serveur démarré", "processes of the server that starts"))
    ] = None,
    neighbour: Annotated[
        bool,
        typer.Option("--neighbour", help=tr("un programme calcule à côté", "a program computes beside it")),
    ] = False,
    seed: Annotated[int, typer.Option(help=tr("graine des coups", "what the moves are drawn from"))] = 0,
    json: Annotated[Path | None, typer.Option(help=tr("fichier des résultats", "file for the results"))] = None,
) -> None:
    seats = _seats(game)
    if idle:
        matches = -(-idle // seats)
    with _server(address, database, processes) as (where, disk):
        clients = Clients(where, Quincunx(game, seats), None if as_fast_as_possible else rate, seed=seed)
        _run(_wake(Clients(where, Quincunx(game, seats)), game))
        serving = host.processes(where)
        before = host.memory(serving)
        with host.neighbour() if neighbour else nullcontext():
            figures = _run(_measure(clients, matches, None if idle else seconds, serving))
    times, seated, after, computed, stages = figures
    known = (matches, rate, as_fast_as_possible, idle) == (500, 1.0, False, 0)
    report = Report(
        game, matches, matches * seats, None if as_fast_as_possible else rate, times,
        times.moves_a_second if times else None, before, seated, after, computed, disk, *stages,
        len(serving) or None, neighbour, BARS[neighbour] if known else None,
    )  # fmt: skip
    if json is not None:
        _keep(json, report)
    out.print(_table(report))
    if times and times.errors:
        raise typer.Exit(1)


async def _wake(clients: Clients, game: str) -> None:
    """One match, which is left again: the server has loaded the game, and is empty."""
    async with _seated(clients):
        await host.compiled(clients.address, game)
        await clients.sit(1)
        await clients.play(0.5)


async def _measure(
    clients: Clients, matches: int, seconds: float | None, serving: Sequence[int]
) -> tuple[Times | None, int | None, int | None, float | None, tuple[float | None, float | None]]:
    """The times; the server's memory when all sat, and when all had played; its processor's milliseconds for a move;
    its own figures of what a move waits for.

    `seconds` None: nobody plays.
    """
    async with _seated(clients):
        with _progress() as progress:
            sitting = progress.add_task(tr("Les joueurs s’installent", "Players sit down"), total=matches, note="")
            await clients.sit(matches, lambda n: progress.update(sitting, completed=n))
            seated = host.memory(serving)
            if seconds is None:
                return None, seated, seated, None, (None, None)
            playing = progress.add_task(tr("Les coups s’échangent", "Moves are played"), total=seconds, note="")
            start = perf_counter()

            def tell(moves: int) -> None:
                lasted = perf_counter() - start
                progress.update(playing, completed=lasted, note=f"{moves / lasted:,.0f} {tr('coups/s', 'moves/s')}")

            idle, before = host.processor(serving), await host.stages(clients.address)
            times = await clients.play(seconds, tell)
            busy, after = host.processor(serving), await host.stages(clients.address)
            in_server, committing = (host.mean(f"quincunx_{name}_seconds", before, after) for name in STAGES)
            computed = None if idle is None or busy is None else 1000 * (busy - idle) / max(1, times.moves)
            return times, seated, host.memory(serving), computed, (in_server, committing)


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TextColumn("{task.fields[note]}"),
        TimeRemainingColumn(), console=out, transient=True,
    )  # fmt: skip


@asynccontextmanager
async def _seated(clients: Clients) -> AsyncIterator[None]:
    """Everybody leaves at the end; a server that does not answer is one sentence."""
    try:
        yield
    except (OSError, TimeoutError) as error:
        words = Words("Le serveur ne suit pas : {}.", "The server does not follow: {}.")
        raise Refused("no_server", words.format(str(error) or type(error).__name__)) from None
    finally:
        await clients.leave()


@contextmanager
def _server(
    address: str | None, database: str | None, processes: int | None
) -> Iterator[tuple[SplitResult, float | None]]:
    """Where it is, and what its disk alone needs for a commit."""
    if address is not None:
        where = urlsplit(address if "//" in address else f"//{address}")
        if where.scheme not in ("", "http") or not where.hostname or not where.port:
            raise expected(Words("http://hôte:port", "http://host:port"), address)
        asyncio.run(host.answers(where, "/api/matches"))
        yield where, None
        return
    with tempfile.TemporaryDirectory() if database is None else nullcontext() as folder:
        database = database or str(Path(folder or "", "matches.db"))
        disk = None if "://" in database else host.commits(Path(database).resolve().parent)
        with host.quincunx(database, processes) as where:
            yield where, disk


def _seats(game: str) -> int:
    bound = load_game(game, "interpreted")
    return bound.seats(bound.new(seed=0))


def _run(measuring: Coroutine[Any, Any, T]) -> T:
    with asyncio.Runner(loop_factory=quick_loop()) as runner:
        return runner.run(measuring)


def _keep(file: Path, report: Report) -> None:
    try:
        file.write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n")
    except OSError as error:
        words = Words("Le fichier {} ne peut pas être écrit ({}).", "The file {} cannot be written ({}).")
        raise Refused("unwritable_file", words.format(file, error.strerror)) from None


def _table(report: Report) -> Table:
    table = Table(show_header=False)
    table.add_column()
    table.add_column(justify="right")
    table.add_row(tr("parties, sockets", "matches, sockets"), f"{report.matches}, {report.sockets}")
    if report.processes and report.processes > 1:
        table.add_row(tr("processus du serveur", "processes of the server"), str(report.processes))
    if report.neighbour:
        table.add_row(tr("à côté", "beside it"), tr("un programme qui calcule", "a program that computes"))
    if report.times:
        _add_times(table, report.times)
        if report.bar is not None:
            table.add_row(tr("la barre pour p99", "the bar for p99"), f"≤ {report.bar:.0f} ms")
    if report.in_server is not None and report.committing is not None:
        table.add_row(tr("moyenne dans le serveur", "mean, in the server"), f"{report.in_server:.1f} ms")
        table.add_row(tr("dont l’enregistrement", "of it the commit"), f"{report.committing:.1f} ms")
    if report.processor is not None:
        table.add_row(tr("calcul du serveur par coup", "the server computes, a move"), f"{report.processor:.2f} ms")
    if report.memory_before is not None and report.memory_seated is not None:
        more = report.memory_seated - report.memory_before
        table.add_row(tr("mémoire du serveur vide", "memory of the empty server"), _megabytes(report.memory_before))
        table.add_row(tr("en plus, tous assis", "more, when all sit"), _megabytes(more))
        if report.times and report.memory_after is not None:
            more = report.memory_after - report.memory_before
            table.add_row(tr("en plus, à la fin", "more, at the end"), _megabytes(more))
        table.add_row(tr("par partie", "a match"), f"{more / report.matches / 1000:.1f} kB")
    if report.disk_p99 is not None:
        table.add_row(tr("le disque seul, p99", "the disk alone, p99"), f"{report.disk_p99:.1f} ms")
    return table


def _add_times(table: Table, times: Times) -> None:
    table.add_row(tr("coups", "moves"), f"{times.moves:,}")
    table.add_row(tr("coups/s", "moves/s"), f"{times.moves_a_second:,.1f}")
    for name, figure in (("p50", times.p50), ("p95", times.p95), ("p99", times.p99), ("max", times.longest)):
        table.add_row(tr(f"accusé de réception, {name}", f"acknowledged, {name}"), f"{figure:.1f} ms")
    table.add_row(tr("parties finies", "matches played out"), str(times.finished))
    errors = ", ".join(f"{n} × {what}" for what, n in times.errors.items())
    table.add_row(tr("erreurs", "errors"), errors or "0")


def _megabytes(figure: int) -> str:
    return f"{figure / MEGABYTE:.1f} MB"
