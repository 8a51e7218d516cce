"""`quincunx bot`: plugs a program of this computer into a match on a server, or into an arena."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import parse_qs, urlsplit

import typer

from quincunx.cli import programs
from quincunx.cli.join import SILENT, ask, read_address, send
from quincunx.cli.speech import say, tr
from quincunx.core.words import Refused, Words, expected
from quincunx.games import load
from quincunx.players.programs import bots
from quincunx.players.programs.arena import ArenaClient
from quincunx.players.programs.flights import Flights
from quincunx.players.programs.keys import key_of
from quincunx.players.programs.limits import Limits
from quincunx.players.programs.naming import KINDS, make_program
from quincunx.players.programs.program import Program
from quincunx.players.programs.remote import Bridge

TOKEN = Words("le jeton d’une place, ou son lien", "the token of a seat, or its link")
WHERE = Words("--server et --seat, ou --arena et --name", "--server and --seat, or --arena and --name")
WHAT = Words("une commande après --, ou --bot NOM", "a command after --, or --bot NAME")
NOT_HELD = Words("Aucune partie de {} ne connaît ce jeton.", "No match of {} knows this token.")
NO_LIMIT = 3600.0  # seconds: the server's clock counts
STARTING = 60.0  # seconds until a program has read its welcome: no clock runs before
ENDED = Words("La partie est finie : place {} de {}.", "The match is over: rank {} of {}.")
NO_ARENA = Words("Aucune arène n’est ouverte à {}.", "No arena is open at {}.")
WHICH = Words(
    "Plusieurs arènes sont ouvertes à {} : donnez la page de l’une d’elles ({}).",
    "Several arenas are open at {}: give the page of one of them ({}).",
)
LAST = Words(
    "Encore la partie en cours ; Ctrl-C de nouveau pour l’abandonner.",
    "The match under way is the last one; Ctrl-C again resigns it.",
)


def bot(
    server: Annotated[
        str | None,
        typer.Option(
            "--server",
            metavar="URL",
            help=tr("le serveur, ou la page de la partie", "the server, or the page of the match"),
        ),
    ] = None,
    seat: Annotated[
        str | None, typer.Option("--seat", metavar="TOKEN", help=tr("le jeton de la place", "the token of the seat"))
    ] = None,
    arena: Annotated[
        str | None,
        typer.Option(
            "--arena",
            metavar="URL",
            help=tr("entrer dans une arène : le serveur, ou sa page", "enter an arena: the server, or its page"),
        ),
    ] = None,
    called: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help=tr("son nom dans l’arène", "its name in the arena"))
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(
            metavar="KEY",
            envvar="QUINCUNX_KEY",
            help=tr("la clé de ce nom, si on en a reçu une", "the key of this name, if one was given"),
        ),
    ] = None,
    command: Annotated[
        list[str] | None, typer.Argument(metavar="-- COMMAND…", help=tr("le programme", "the program"))
    ] = None,
    name: Annotated[
        str | None, typer.Option("--bot", metavar="NAME", help=tr("ou un programme nommé", "or a named program"))
    ] = None,
    kind: Annotated[str, typer.Option(metavar="|".join(KINDS), help=tr("son protocole", "its protocol"))] = "program",
    memory: programs.Memory = 1024,
    isolate: programs.Isolate = False,
    log: programs.Log = None,
) -> None:
    if (name is None) == (not command) or kind not in KINDS:
        raise expected(WHAT, None)
    spec = bots.spec_of(name) if name else bots.spec_for(kind, command or [])
    limits = programs.limits_of(NO_LIMIT, STARTING, memory, isolate)
    if arena is not None and server is None and seat is None:
        return _enter(arena, called or name, key, spec, limits, log)
    if server is None or seat is None or arena is not None or called is not None:
        raise expected(WHERE, None)
    _sit(server, seat, spec, limits, log)


def _sit(server: str, seat: str, spec: str, limits: Limits, log: Path | None) -> None:
    """One match."""
    base, match, token = read_seat(server, seat)
    if match is None:
        match = str(send(f"{base}/api/seats", {"token": token}).get("match", ""))
    shown = ask(f"{base}/api/matches/{match}") if match else None
    if shown is None:
        raise Refused("no_such_match", NOT_HELD.format(base))
    program = make_program(spec, load(shown["game"]), limits)
    flights = Flights(base, log)
    address = f"ws{base.removeprefix('http')}/ws/{shown['id']}"
    bridge = Bridge(address, token, program, say, log=flights.file(shown["id"]))
    outcome = bridge.play()
    flights.complete(shown["id"])
    say(ENDED.format(outcome.ranks[bridge.seat], len(outcome.ranks)))


def _enter(address: str, name: str | None, given: str | None, spec: str, limits: Limits, log: Path | None) -> None:
    """One match after the other. `given`: a key that somebody has for this name, from a class say."""
    if name is None:
        raise expected(WHERE, None)
    base, contest = read_arena(address)
    found = find_arena(base, contest)

    def make(game: str) -> Program:
        return make_program(spec, load(game), limits)

    make(found["game"])  # what cannot be started is told before anybody waits for it
    key = key_of(found["id"], name, given)
    client = ArenaClient(base, found["id"], name, key, make, say, Flights(base, log))
    with _polite(client):
        client.play()


@contextmanager
def _polite(client: ArenaClient) -> Iterator[None]:
    """Ctrl-C ends after the match under way; once more, and that is resigned."""

    def interrupted(number: int, frame: Any) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        say(LAST)
        client.leave()

    before = signal.signal(signal.SIGINT, interrupted)
    try:
        yield
    except KeyboardInterrupt:
        client.resign()
        raise
    finally:
        signal.signal(signal.SIGINT, before)


def find_arena(base: str, contest: str | None) -> dict[str, Any]:
    """The arena that is meant: the one that was named, or the only one that is open."""
    arenas = ask(f"{base}/api/contests?limit=100&arenas=true")
    if not isinstance(arenas, list):
        raise Refused("silent", SILENT.format(base))
    meant = [each for each in arenas if contest is None or each["id"] == contest]
    meant = meant or [each for each in arenas if each["id"].startswith(contest or "")]
    if not meant and contest is not None:  # one that is closed says so itself
        known = ask(f"{base}/api/contests/{contest}")
        meant = [known] if known and known["format"] == "arena" else []
    if not meant:
        raise Refused("no_such_contest", NO_ARENA.format(f"{base}/contest/{contest}" if contest else base))
    if len(meant) > 1:
        pages = ", ".join(f"{base}/contest/{each['id']}" for each in meant[:5])
        raise Refused("several_arenas", WHICH.format(base, pages))
    return dict(meant[0])


def read_arena(address: str) -> tuple[str, str | None]:
    """The server, and the arena if its page was given."""
    base, _ = read_address(address)
    path = urlsplit(address if "://" in address else f"http://{address}").path
    named = re.search(r"/contest/([A-Za-z0-9_-]{1,64})(/projector)?/?$", path)  # perhaps below a larger site
    return base, named[1] if named else None


def read_seat(server: str, seat: str) -> tuple[str, str | None, str]:
    """The server, the match if it is named, and the token; a whole link of a seat has all of them."""
    if "#" in seat or "/" in seat:
        link = urlsplit(seat if "://" in seat else f"http://{seat}")
        server, seat = link._replace(fragment="").geturl(), parse_qs(link.fragment).get("token", [""])[0]
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", seat):
        raise expected(TOKEN, seat)
    return *read_address(server), seat
