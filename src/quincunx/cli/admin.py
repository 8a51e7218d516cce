"""`quincunx admin`: what whoever runs a server may do to its matches, and to those who come. Servers that run on the
same database notice within a second or two."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, TypeVar, get_args

import msgspec
import typer
from rich.table import Table

from quincunx.cli.asking import YES, confirm
from quincunx.cli.keeping import Database
from quincunx.cli.serve import own_file
from quincunx.cli.speech import language, out, say, tr
from quincunx.core.words import Refused, Words, expected
from quincunx.games import load
from quincunx.store import Status, Store, StoredMatch

T = TypeVar("T")
STATES = {
    "open": Words("ouverte", "open"),
    "playing": Words("en cours", "playing"),
    "over": Words("terminée", "over"),
}
NO_MATCH = Words("Il n’y a pas de partie {}.", "There is no match {}.")
ENDS = Words(
    "La partie {} ({}) sera interrompue, sans gagnant.", "The match {} ({}) will be called off, won by nobody."
)
ENDED = Words("La partie {} est interrompue.", "The match {} was called off.")
DELETES = Words("La partie {} ({}) sera supprimée pour toujours.", "The match {} ({}) will be deleted for ever.")
DELETED = Words("La partie {} est supprimée.", "The match {} was deleted.")
BANS = Words("{} ne pourra plus venir, et sera déconnecté.", "{} will not be let in any more, and will be cut off.")
BANNED = Words("{} est banni.", "{} is banned.")
UNBANNED = Words("{} peut revenir.", "{} may come back.")
NOT_BANNED = Words("{} n’est pas banni.", "{} is not banned.")
NONE = Words("Personne n’est banni.", "Nobody is banned.")

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
)

Match = Annotated[str, typer.Argument(metavar="MATCH", help=tr("son identifiant ou son code", "its id or its code"))]
Address = Annotated[
    str, typer.Argument(metavar="ADDRESS", help=tr("une adresse ou un réseau", "an address or a network"))
]
Json = Annotated[bool, typer.Option("--json", help=tr("résultat en JSON", "result as JSON"))]


class MatchTold(msgspec.Struct, frozen=True):
    """What an administrator is shown: who and when, and nothing of what is hidden in it."""

    id: str
    code: str | None
    game: str
    status: str
    public: bool
    names: list[str]
    created: int  # milliseconds since 1970
    entries: int | None = None  # None in a list
    reason: str | None = None  # why it is over
    ranks: list[int] | None = None


class BanTold(msgspec.Struct, frozen=True):
    address: str
    reason: str
    created: int


# -- matches --------------------------------------------------------------------------------------------------------


@app.command("list", help=tr("Les parties, les plus récentes d’abord.", "The matches, the newest first."))
def list_matches(
    status: Annotated[
        str | None, typer.Option(metavar="open|playing|over", help=tr("celles-là seulement", "only these"))
    ] = None,
    game: Annotated[str | None, typer.Option(metavar="GAME", help=tr("d’un jeu", "of one game"))] = None,
    limit: Annotated[int, typer.Option(min=1, max=100_000, help=tr("combien au plus", "how many at most"))] = 50,
    database: Database = None,
    json: Json = False,
) -> None:
    if status is not None and status not in get_args(Status):
        raise expected(Words("open, playing ou over", "open, playing or over"), status)
    if game is not None:
        load(game)  # refused with the list of games, if there is none
    found = _with(database, lambda store: _latest(store, status, game, limit))
    told = [_told(match) for match in found]
    if json:
        return _print(told)
    table = Table()
    for heading in (
        tr("partie", "match"), tr("code", "code"), tr("jeu", "game"), tr("état", "state"), tr("joueurs", "players"),
        tr("créée", "made"),
    ):  # fmt: skip
        table.add_column(heading)
    for each in told:
        names = ", ".join(name or "…" for name in each.names[:4]) + (" …" if len(each.names) > 4 else "")
        table.add_row(each.id, each.code or "", each.game, _state(each.status), names, _time(each.created))
    out.print(table)


@app.command("show", help=tr("Ce qu’on peut dire d’une partie.", "What can be told of a match."))
def show(match: Match, database: Database = None, json: Json = False) -> None:
    told = _with(database, lambda store: _whole(store, match))
    if json:
        return _print(told)
    table = Table(show_header=False)
    state = _state(told.status) + (f" ({told.reason})" if told.reason else "")
    for name, value in (
        (tr("partie", "match"), told.id),
        (tr("code", "code"), told.code or "–"),
        (tr("jeu", "game"), told.game),
        (tr("état", "state"), state),
        (tr("publique", "public"), tr("oui", "yes") if told.public else tr("non", "no")),
        (tr("joueurs", "players"), ", ".join(name or "…" for name in told.names)),
        (tr("créée", "made"), _time(told.created)),
        (tr("entrées", "entries"), tr("illisibles", "unreadable") if told.entries is None else str(told.entries)),
    ):
        table.add_row(name, value)
    out.print(table)


@app.command("end", help=tr("Interrompre une partie.", "Call a match off."))
def end(match: Match, database: Database = None, yes: YES = False, json: Json = False) -> None:
    from quincunx.server.ending import call_off

    found = _with(database, lambda store: _find(store, match))
    confirm(ENDS.format(found.id, found.game), yes)
    _with(database, lambda store: call_off(store, found.id))
    _done(json, ENDED, found.id)


@app.command("delete", help=tr("Supprimer une partie.", "Delete a match."))
def delete(match: Match, database: Database = None, yes: YES = False, json: Json = False) -> None:
    found = _with(database, lambda store: _find(store, match))
    confirm(DELETES.format(found.id, found.game), yes)
    _with(database, lambda store: store.deletion.delete(found.id))
    _done(json, DELETED, found.id)


# -- visitors -------------------------------------------------------------------------------------------------------


@app.command("ban", help=tr("Ne plus laisser venir une adresse.", "Let an address in no more."))
def ban(
    address: Address,
    reason: Annotated[str, typer.Option(help=tr("pourquoi, pour mémoire", "why, to be remembered"))] = "",
    database: Database = None,
    yes: YES = False,
    json: Json = False,
) -> None:
    from quincunx.store.administration import read_network

    network = read_network(address)
    confirm(BANS.format(network), yes)
    _with(database, lambda store: store.administration.ban(network, reason))
    _done(json, BANNED, network)


@app.command("unban", help=tr("Laisser revenir une adresse.", "Let an address come back."))
def unban(address: Address, database: Database = None, json: Json = False) -> None:
    if not _with(database, lambda store: store.administration.unban(address)):
        raise Refused("not_banned", NOT_BANNED.format(address))
    _done(json, UNBANNED, address)


@app.command("list-bans", help=tr("Les adresses bannies.", "The addresses that are banned."))
def list_bans(database: Database = None, json: Json = False) -> None:
    bans = _with(database, lambda store: store.administration.bans())
    if json:
        return _print([BanTold(*each) for each in bans])
    if not bans:
        return say(NONE)
    table = Table()
    for heading in (tr("adresse", "address"), tr("depuis", "since"), tr("raison", "reason")):
        table.add_column(heading)
    for each in bans:
        table.add_row(each.address, _time(each.created), each.reason)
    out.print(table)


# -- inside ---------------------------------------------------------------------------------------------------------


def _with(database: str | None, work: Callable[[Store], Awaitable[T]]) -> T:
    async def main() -> T:
        async with Store.open(database or own_file()) as store:
            return await work(store)

    return asyncio.run(main())


async def _latest(store: Store, status: Any, game: str | None, limit: int) -> list[StoredMatch]:
    found: list[StoredMatch] = []
    while len(found) < limit:
        before = found[-1].id if found else None
        page = await store.list_matches(status, game, public_only=False, limit=limit - len(found), before=before)
        if not page:
            break
        found += page
    return found


async def _find(store: Store, named: str) -> StoredMatch:
    found = await store.match(named) or await store.by_code(named.upper())
    if found is None:
        raise Refused("no_such_match", NO_MATCH.format(named))
    return found


async def _whole(store: Store, named: str) -> MatchTold:
    found = await _find(store, named)
    try:
        return _told(found, len(await store.entries(found.id)))
    except Refused:  # it is damaged, and can be ended or deleted all the same
        return _told(found)


def _told(match: StoredMatch, entries: int | None = None) -> MatchTold:
    reason, ranks = (match.outcome.reason, match.outcome.ranks) if match.outcome else (None, None)
    names = [seat.name for seat in match.seats]
    return MatchTold(
        match.id, match.code, match.game, match.status, match.public, names, match.created, entries, reason, ranks
    )  # fmt: skip


def _done(json: bool, words: Words, what: str) -> None:
    if json:
        _print({"done": what})
    else:
        say(words.format(what))


def _print(told: Any) -> None:
    typer.echo(msgspec.json.encode(told).decode())


def _state(status: str) -> str:
    return STATES[status].of(language())


def _time(at: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at / 1000))
