"""`quincunx bot`: plugs a program of this computer into a match on a server."""

from __future__ import annotations

import re
from typing import Annotated
from urllib.parse import parse_qs, urlsplit

import typer

from quincunx.cli import programs
from quincunx.cli.join import ask, read_address, send
from quincunx.cli.speech import say, tr
from quincunx.core.words import Refused, Words, expected
from quincunx.games import load
from quincunx.players.programs import bots
from quincunx.players.programs.naming import KINDS, make_program
from quincunx.players.programs.remote import Bridge

TOKEN = Words("le jeton d’une place, ou son lien", "the token of a seat, or its link")
NOT_HELD = Words("Aucune partie de {} ne connaît ce jeton.", "No match of {} knows this token.")
NO_LIMIT = 3600.0  # seconds: the server's clock counts
ENDED = Words("La partie est finie : place {} de {}.", "The match is over: rank {} of {}.")


def bot(
    server: Annotated[
        str,
        typer.Option(
            "--server",
            metavar="URL",
            help=tr("le serveur, ou la page de la partie", "the server, or the page of the match"),
        ),
    ],
    seat: Annotated[
        str, typer.Option("--seat", metavar="TOKEN", help=tr("le jeton de la place", "the token of the seat"))
    ],
    command: Annotated[
        list[str] | None, typer.Argument(metavar="-- COMMAND…", help=tr("le programme", "the program"))
    ] = None,
    name: Annotated[
        str | None, typer.Option("--bot", metavar="NAME", help=tr("ou un programme nommé", "or a named program"))
    ] = None,
    kind: Annotated[str, typer.Option(metavar="|".join(KINDS), help=tr("son protocole", "its protocol"))] = "program",
    memory: programs.Memory = 1024,
    isolate: programs.Isolate = False,
) -> None:
    base, match, token = read_seat(server, seat)
    if (name is None) == (not command) or kind not in KINDS:
        raise expected(Words("une commande après --, ou --bot NOM", "a command after --, or --bot NAME"), None)
    if match is None:
        match = str(send(f"{base}/api/seats", {"token": token}).get("match", ""))
    shown = ask(f"{base}/api/matches/{match}") if match else None
    if shown is None:
        raise Refused("no_such_match", NOT_HELD.format(base))
    spec = bots.spec_of(name) if name else bots.spec_for(kind, command or [])
    program = make_program(spec, load(shown["game"]), programs.limits_of(NO_LIMIT, 0.0, memory, isolate))
    bridge = Bridge(f"ws{base.removeprefix('http')}/ws/{match}", token, program, say)
    outcome = bridge.play()
    say(ENDED.format(outcome.ranks[bridge.seat], len(outcome.ranks)))


def read_seat(server: str, seat: str) -> tuple[str, str | None, str]:
    """The server, the match if it is named, and the token; a whole link of a seat has all of them."""
    if "#" in seat or "/" in seat:
        link = urlsplit(seat if "://" in seat else f"http://{seat}")
        server, seat = link._replace(fragment="").geturl(), parse_qs(link.fragment).get("token", [""])[0]
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", seat):
        raise expected(TOKEN, seat)
    return *read_address(server), seat
