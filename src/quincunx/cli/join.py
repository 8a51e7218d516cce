"""`quincunx join ADDRESS [CODE]`: opens the browser at a match that somebody made on another computer."""

from __future__ import annotations

import json
import os
import re
import sys
import webbrowser
from typing import Annotated, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, Request, build_opener

import typer

from quincunx.cli.speech import say, tr
from quincunx.core.words import Refused, Words, expected

PORT = 8765
PATIENCE = 5.0  # seconds that a server in the same network may take to answer
LONGEST = 100_000  # bytes of an answer that is worth reading
PAGES = (
    "new", "join", "match", "replay", "editor", "records", "rules", "learn", "puzzles", "contest", "contests",
    "class", "classroom", "study", "me", "lobby", "watch",
)  # fmt: skip

ADDRESS = Words(
    "une adresse comme 192.0.2.7 ou http://192.0.2.7:8765", "an address like 192.0.2.7 or http://192.0.2.7:8765"
)
CODE = Words("un code de six lettres, ou l’identifiant d’une partie", "a code of six letters, or the id of a match")
SILENT = Words(
    "Aucun Quincunx ne répond à {}. L’adresse est-elle juste, et le serveur ouvert au réseau (serve --lan) ?",
    "No Quincunx answers at {}. Is the address right, and the server open to the network (serve --lan)?",
)
UNKNOWN = Words("Il n’y a pas de partie {} à {}.", "There is no match {} at {}.")


def join(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help=tr("l’adresse du serveur", "where the server is"))],
    code: Annotated[
        str | None, typer.Argument(metavar="[CODE]", help=tr("le code de la partie", "the code of the match"))
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help=tr("ouvrir le navigateur", "open the browser"))
    ] = True,
) -> None:
    base, linked = read_address(address)
    code = code or linked
    if code is not None and not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", code):
        raise expected(CODE, code)
    if not is_quincunx(base):
        raise Refused("silent", SILENT.format(base))
    if code is not None and ask(f"{base}/api/matches/{code}") is None:
        raise Refused("no_such_match", UNKNOWN.format(code, base))
    show(f"{base}/match/{code}" if code else f"{base}/join", browser)


def read_address(text: str) -> tuple[str, str | None]:
    """`http://host:port`, with the path below which the server lies, and the code if the link of a match was given."""
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
        port = parts.port or (443 if parts.scheme == "https" else PORT)
    except ValueError:
        raise expected(ADDRESS, text) from None
    if parts.scheme not in ("http", "https") or not parts.hostname or not parts.hostname.isprintable():
        raise expected(ADDRESS, text)
    if re.search(r"[\s<>\"']", text):
        raise expected(ADDRESS, text)
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    base, page = _below(parts.path)
    linked = re.fullmatch(r"/match/([A-Za-z0-9_-]{1,64})/?", page)
    return f"{parts.scheme}://{host}:{port}{base}", linked[1] if linked else None


def _below(path: str) -> tuple[str, str]:
    """The path of a larger site below which the server lies, and which page it is there."""
    words = path.strip("/").split("/")
    pages = next((n for n, word in enumerate(words) if word in PAGES), len(words))
    return "".join(f"/{word}" for word in words[:pages] if word), "".join(f"/{word}" for word in words[pages:])


def is_quincunx(base: str, patience: float = PATIENCE) -> bool:
    answer = ask(f"{base}/api/server", patience)
    return isinstance(answer, dict) and {"version", "addresses", "compiling"} <= answer.keys()


def ask(url: str, patience: float = PATIENCE) -> Any:
    """What a server answers, or None. No proxy is asked: it would not know the computers here."""
    try:
        with build_opener(ProxyHandler({})).open(url, timeout=patience) as answer:
            return json.loads(answer.read(LONGEST))
    except (HTTPError, URLError, OSError, ValueError):
        return None


def send(url: str, body: dict[str, Any], patience: float = PATIENCE) -> dict[str, Any]:
    """What a server answers to a POST, its refusals too; nothing if it does not."""
    request = Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    try:
        try:
            with build_opener(ProxyHandler({})).open(request, timeout=patience) as answer:
                found = json.loads(answer.read(LONGEST))
        except HTTPError as refusal:
            found = json.loads(refusal.read(LONGEST))
    except (URLError, OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def show(url: str, browser: bool = True) -> None:
    """Opens the browser, where there is one to see; the address is printed in any case."""
    if browser and _has_screen() and webbrowser.open(url):
        say(Words("Le navigateur s’ouvre sur {}", "The browser opens at {}").format(url))
    else:
        say(Words("Ouvrez {} dans un navigateur.", "Open {} in a browser.").format(url))


def _has_screen() -> bool:
    """A browser inside the terminal would not do."""
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
