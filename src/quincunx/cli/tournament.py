"""`quincunx tournament`: contests between players that survive anything."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.table import Table
from typer.core import TyperGroup

from quincunx.cli import programs
from quincunx.cli.choices import Options, Preset, load_compiled
from quincunx.cli.plans import FORMATS, LATE, plan_of
from quincunx.cli.serve import own_file
from quincunx.cli.speech import language, out, say, tr
from quincunx.cli.standings import Watching, crossed, standings_table, test_line
from quincunx.cli.writing import write
from quincunx.core.words import Refused, Words
from quincunx.games import load
from quincunx.match import encode
from quincunx.store import Store
from quincunx.store.contests import Contests, StoredContest
from quincunx.tournament.executors import workplace
from quincunx.tournament.plan import OPENING, Plan, written_plan
from quincunx.tournament.playing import unpacked
from quincunx.tournament.ratings import rate
from quincunx.tournament.report import Link, Played, Report
from quincunx.tournament.results import Result
from quincunx.tournament.runner import Runner, read_tournament
from quincunx.tournament.standings import Standings
from quincunx.tournament.tables import cross_table
from quincunx.tournament.tournament import Tournament

PLAYED = Words(
    "{} a déjà été joué jusqu’au bout ; --seed en tire un autre.",
    "{} was played to its end before; --seed draws another.",
)

ALIKE = Words(
    "Toutes les parties commencent pareil : des joueurs qui répondent toujours de même rejouent les mêmes, et les "
    "intervalles seront trop étroits. --opening {} les fait varier.",
    "All matches begin alike: players that always answer in the same way play the same ones again, and intervals will "
    "be too narrow. --opening {} lets them differ.",
)
AWAY = Words(
    "La base de données ne répond plus : les résultats attendent son retour.",
    "The database does not answer any more: results wait until it is back.",
)

MOST_CROSSED = 20  # players in a cross table: more do not stand side by side


class RunByDefault(TyperGroup):
    """`quincunx tournament cup.toml` is `quincunx tournament run cup.toml`."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] not in self.commands:
            args = ["run", *args]
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=RunByDefault,
    no_args_is_help=True,
    rich_markup_mode=None,
)

What = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE.toml | GAME PLAYER…",
        help=tr("un plan, ou un jeu et ses joueurs", "a plan, or a game and players"),
    ),
]
Database = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="PATH|URL",
        help=tr("où garder les résultats (celle du serveur)", "where results are kept (that of the server)"),
    ),
]
Jobs = Annotated[int | None, typer.Option("--jobs", min=1, max=256, help=tr("processus", "processes"))]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster", metavar="ADDRESS|local", help=tr("jouer sur une grappe dask", "play on a cluster of dask")
    ),
]
Id = Annotated[
    str, typer.Argument(metavar="TOURNAMENT", help=tr("le tournoi, ou le début de son nom", "its id, or how it begins"))
]
Format = Annotated[
    str | None,
    typer.Option("--format", metavar="|".join(FORMATS), help=tr("la formule", "the format")),
]
Matches = Annotated[
    int | None, typer.Option("--matches", min=1, help=tr("parties par rencontre", "matches of a pairing"))
]


@app.command("run", help=tr("Jouer un tournoi, ou ce qui en manque.", "Play a tournament, or what is missing of it."))
def run(
    what: What,
    format: Format = None,
    matches: Matches = None,
    rounds: Annotated[int | None, typer.Option(min=1, help=tr("nombre de rondes", "number of rounds"))] = None,
    seats: Annotated[int | None, typer.Option(min=2, help=tr("joueurs d’une partie", "players of a match"))] = None,
    seed: Annotated[int | None, typer.Option(min=0, help=tr("graine des tirages", "what is drawn from"))] = None,
    opening: Annotated[
        int | None, typer.Option(min=0, max=100, help=tr("actions tirées au sort", "actions drawn at random"))
    ] = None,
    preset: Preset = None,
    setup: Annotated[
        list[str] | None,
        typer.Option("--setup", help=tr("un départ ; plusieurs à tour de rôle", "a start; several in turn")),
    ] = None,
    option: Options = None,
    name: Annotated[str | None, typer.Option(help=tr("le nom du tournoi", "its name"))] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar='"elo0=0 elo1=10"', help=tr("arrêter dès que la réponse est sûre", "stop when it is known")
        ),
    ] = None,
    time: Annotated[
        float | None, typer.Option(min=0.001, max=3600, help=tr("secondes par tour", "seconds a turn"))
    ] = None,
    late: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(LATE), help=tr("ce que coûte un retard à un programme", "what being late costs a program")
        ),
    ] = None,
    isolate: programs.Isolate = False,
    jobs: Jobs = None,
    cluster: Cluster = None,
    database: Database = None,
) -> int:
    said = {
        "format": format, "matches": matches, "rounds": rounds, "seats": seats, "seed": seed, "opening": opening,
        "name": name, "sprt": sprt,
    }  # fmt: skip
    timed = {"turn": time, "late": late, "isolate": isolate or None}
    plan = plan_of(what, said, timed, preset, setup or [], option or [])
    return play(plan, jobs, cluster, database)


@app.command("new", help=tr("Écrire un plan à compléter.", "Write a plan to be completed."))
def new(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml")],
    game: Annotated[str, typer.Argument(metavar="GAME")],
    players: Annotated[list[str], typer.Argument(metavar="PLAYER…")],
    format: Format = None,
    matches: Matches = None,
) -> None:
    plan = plan_of([game, *players], {"format": format, "matches": matches, "name": file.stem}, {}, None, [], [])
    plan.check()
    if file.exists():
        raise Refused("file_exists", Words("Le fichier {} existe déjà.", "The file {} exists already.").format(file))
    write(file, written_plan(plan))
    say(Words("{} est prêt : quincunx tournament {}", "{} is ready: quincunx tournament {}").format(file, file))


@app.command("resume", help=tr("Jouer ce qui manque d’un tournoi.", "Play what is missing of a tournament."))
def resume(id: Id, jobs: Jobs = None, cluster: Cluster = None, database: Database = None) -> int:
    async def look(contests: Contests) -> Plan:
        return msgspec.json.decode((await contests.get(id)).plan, type=Plan)

    return play(with_store(database, look), jobs, cluster, database)


@app.command("show", help=tr("Les tournois, ou la table de l’un d’eux.", "The tournaments, or the table of one."))
def show(id: Annotated[str | None, typer.Argument(metavar="[TOURNAMENT]")] = None, database: Database = None) -> None:
    if id is None:
        with_store(database, _list_all)
        return

    async def look(contests: Contests) -> None:
        contest = await contests.get(id)
        tournament, results = await read_tournament(contests, contest)
        standings = Standings([entrant.name for entrant in tournament.plan.entrants])
        for result in results:
            standings.add(result)
        lines = tournament.ordered(standings)
        out.print(standings_table(contest.id, lines, rate(results).players))
        if len(lines) <= MOST_CROSSED and results:
            out.print(crossed(lines, cross_table(results)))
        if tournament.test:
            say(test_line(tournament.test))
        state = Words("il en manque {}", "{} are missing").format(tournament.planned - tournament.progress.matches)
        if tournament.over:
            state = Words("c’est fini", "it is over")
        elif tournament.plan.format == "arena":
            state = Words("l’arène est ouverte", "the arena is open")
        say(Words("{} parties jouées ; {}.", "{} matches played; {}.").format(len(results), state))

    with_store(database, look)


async def _list_all(contests: Contests) -> None:
    found = await contests.latest()
    if not found:
        return say(Words("Aucun tournoi n’a encore été joué.", "No tournament has been played yet."))
    table = Table(tr("tournoi", "tournament"), tr("jeu", "game"))
    table.add_column(tr("parties", "matches"), justify="right")
    table.add_column("")
    for each in found:
        over = tr("fini", "finished") if each.finished else tr("en cours", "under way")
        table.add_row(each.id, load(each.game, "interpreted").card.name.of(language()), str(each.results), over)
    out.print(table)


@app.command("export", help=tr("Écrire les parties et les résultats.", "Write records and results."))
def export(
    id: Id,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help=tr("le dossier", "the folder"))],
    database: Database = None,
) -> None:
    async def look(contests: Contests) -> int:
        contest = await contests.get(id)
        written = 0
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with (folder / "results.jsonl").open("w", encoding="utf-8") as lines:
                async for row in contests.results(contest.id):
                    told = msgspec.json.decode(row.result) | {"place": row.place}
                    lines.write(msgspec.json.encode(told).decode() + "\n")
                    record = await contests.record(contest.id, row.pairing, row.number)
                    if record is not None:
                        name = record_name(contest.game, row.pairing, row.number)
                        (folder / name).write_bytes(encode(unpacked(record)))
                        written += 1
        except OSError as error:
            words = Words("Le dossier {} ne peut pas être écrit ({}).", "The folder {} cannot be written ({}).")
            raise Refused("unwritable_folder", words.format(folder, error.strerror)) from None
        return written

    say(Words("{} parties dans {}.", "{} records in {}.").format(with_store(database, look), folder))


@app.command("report", help=tr("Un rapport en un fichier HTML.", "A report in one HTML file."))
def report(
    id: Id,
    file: Annotated[Path, typer.Argument(metavar="FILE.html", help=tr("le rapport", "the report"))],
    records: Annotated[
        bool,
        typer.Option(
            "--records", help=tr("et les parties, dans un dossier à côté", "and records, in a folder beside it")
        ),
    ] = False,
    server: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help=tr("relier les parties aux pages d’un serveur", "link matches to a server’s pages")
        ),
    ] = None,
    database: Database = None,
) -> None:
    folder = file.with_suffix("") / "records"

    async def look(contests: Contests) -> str:
        contest = await contests.get(id)
        tournament, results, places = (
            Tournament(msgspec.json.decode(contest.plan, type=Plan), contest.finished is not None),
            list[Result](),
            dict[tuple[int, int], str](),
        )
        async for row in contests.results(contest.id):
            results += tournament.read([row])
            places[row.pairing, row.number] = row.place
        played = Played(
            contest.id, tournament, sorted(results, key=lambda result: (result.pairing, result.game)), places
        )
        return Report(played, language(), links_of(contest, folder if records else None, server)).html()

    write(file, with_store(database, look))
    if records:
        export(id, folder, database)
    say(Words("Le rapport : {}", "The report: {}").format(file))


def links_of(contest: StoredContest, folder: Path | None, server: str | None) -> Link:
    def link(result: Result) -> str | None:
        if server is not None:
            return f"{server.rstrip('/')}/contest/{contest.id}/{result.pairing}-{result.game}"
        if folder is not None:
            return f"{folder.parent.name}/records/{record_name(contest.game, result.pairing, result.game)}"
        return None

    return link


def record_name(game: str, pairing: int, number: int) -> str:
    return f"{game}-{pairing:04}-{number:05}.json"


# -- running -------------------------------------------------------------------------------------------------------


def play(plan: Plan, jobs: int | None, cluster: str | None, database: str | None) -> int:
    """0 when it is over, 3 if it was interrupted and can be resumed."""
    plan.check()
    load_compiled(plan.game)
    if plan.repeats(plan.table_size()):
        say(ALIKE.format(OPENING))

    async def run_all(contests: Contests) -> bool:
        with workplace(cluster, jobs or default_jobs()) as place, Watching(plan) as watching:
            runner = Runner(contests, plan, place.make, place.jobs, watching.add, lambda: say(AWAY))
            watching.follow(runner.tournament)
            known = await contests.known(plan.id)
            if known is not None and known.finished:
                say(PLAYED.format(plan.id))
            return await runner.run(_stop_on_interrupt())

    finished = with_store(database, run_all)
    if not finished:
        words = Words("Interrompu ; quincunx tournament resume {}", "Interrupted; quincunx tournament resume {}")
        say(words.format(plan.id))
    return 0 if finished else 3


def default_jobs() -> int:
    return max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


def _stop_on_interrupt() -> asyncio.Event:
    """The first Ctrl-C lets running matches end and be written; a second one ends at once."""
    enough, loop = asyncio.Event(), asyncio.get_running_loop()

    def interrupted() -> None:
        if enough.is_set():
            raise KeyboardInterrupt
        enough.set()
        loop.remove_signal_handler(signal.SIGINT)

    with suppress(NotImplementedError, RuntimeError):  # Windows, or not the main thread: Ctrl-C ends at once
        loop.add_signal_handler(signal.SIGINT, interrupted)
    return enough


def with_store(database: str | None, look: Any) -> Any:
    async def main() -> Any:
        async with Store.open(database or own_file()) as store:
            return await look(store.contests)

    return asyncio.run(main())
