"""`quincunx serve`: matches over the network, kept in a database. It listens to this computer only, unless asked.

`--classroom` is for a teacher and a class: a code for the pupils, a page of the teacher's own (docs/classroom.en.md).

`--open` is for people who play: the browser opens as soon as the server answers; if one runs already, at that one; and
if another program has the port, on the next free one.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from pathlib import Path
from typing import Annotated, Any

import typer
from platformdirs import user_data_path

from quincunx.cli.join import PORT, is_quincunx, show
from quincunx.cli.loop import quick_loop
from quincunx.cli.periods import read_period
from quincunx.cli.speech import complain, out, say, tr
from quincunx.core.words import Refused, Words
from quincunx.server.operations import AS_USUAL, Operations, read_operations

MOST_WORKERS = 64
NEXT_PORTS = 20  # tried after the one that is taken
LISTENS = Words("Quincunx écoute sur {}", "Quincunx listens on {}")
TEACHER = Words("La page de l’enseignant, à garder pour vous : {}", "The teacher’s page, to be kept to yourself: {}")
CODE = Words("Code de la classe « {} » : {}", "Code of the class “{}”: {}")
PUPILS = Words("Les élèves viennent sur {}", "Pupils come to {}")
NO_UPLOADS = Words(
    "Les élèves ne peuvent pas envoyer de fichiers : {} Leurs programmes jouent depuis leurs ordinateurs.",
    "Pupils cannot upload files: {} Their programs play from their own computers.",
)
OTHERS = Words("Les autres ordinateurs du réseau y viennent par {}", "Other computers of the network come to {}")


def workers_for(cores: int | None) -> int:
    """As many as there are cores, for they start when they are needed; two at least: one is for short thoughts."""
    return max(2, min(MOST_WORKERS, cores or 1))


WORKERS = workers_for(os.cpu_count())


def serve(
    host: Annotated[str, typer.Option(help=tr("adresse d’écoute", "address to listen on"))] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help=tr("port d’écoute", "port to listen on"))] = PORT,
    lan: Annotated[
        bool, typer.Option("--lan", help=tr("ouvrir aux ordinateurs du réseau", "open to computers of the network"))
    ] = False,
    database: Annotated[
        str | None,
        typer.Option(
            envvar="QUINCUNX_DATABASE",  # so that no password stands in the list of processes
            show_envvar=False,
            help=tr("fichier SQLite ou URL PostgreSQL", "SQLite file or PostgreSQL URL"),
        ),
    ] = None,
    open_browser: Annotated[bool, typer.Option("--open", help=tr("ouvrir le navigateur", "open the browser"))] = False,
    workers: Annotated[
        int, typer.Option(min=1, max=MOST_WORKERS, help=tr("processus des ordinateurs", "computer processes"))
    ] = WORKERS,
    allowed_host: Annotated[
        list[str] | None,
        typer.Option(help=tr("autre nom sous lequel on l’appelle", "another name by which it may be called")),
    ] = None,
    classroom: Annotated[
        bool, typer.Option("--classroom", help=tr("tenir une classe : concours de bots", "hold a class: bot contests"))
    ] = False,
    class_name: Annotated[
        str, typer.Option(help=tr("nom de la classe, s’il y en a plusieurs", "name of the class, if there are several"))
    ] = "",
    keep: Annotated[
        str | None,
        typer.Option(
            metavar="90d", help=tr("supprimer les parties finies ensuite", "delete finished matches after so long")
        ),
    ] = None,
    log_level: Annotated[
        str, typer.Option(metavar="debug|info|warning|error", help=tr("ce que dit le journal", "what the log says"))
    ] = "info",
    proxy: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help=tr("serveur mandataire à croire", "a reverse proxy to be believed")),
    ] = None,
    base_path: Annotated[
        str, typer.Option(metavar="/games", help=tr("chemin sous lequel il se trouve", "the path below which it lies"))
    ] = "",
    tls_cert: Annotated[
        Path | None, typer.Option(metavar="FILE", help=tr("certificat TLS (PEM)", "TLS certificate (PEM)"))
    ] = None,
    tls_key: Annotated[
        Path | None, typer.Option(metavar="FILE", help=tr("sa clé privée (PEM)", "its private key (PEM)"))
    ] = None,
    processes: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=64,
            show_default=False,
            help=tr("autant de processus, surveillés, sur un port", "so many processes, supervised, on one port"),
        ),
    ] = None,
    chat: Annotated[
        bool,
        typer.Option(
            "--chat", help=tr("laisser les joueurs s’écrire librement", "let players write to each other freely")
        ),
    ] = False,
    log_programs: Annotated[
        Path | None,
        typer.Option(
            "--log-programs",
            metavar="DIR",
            help=tr(
                "dossier où garder les dialogues des programmes (bot:…)", "folder that keeps dialogues of programs"
            ),
        ),
    ] = None,
) -> None:
    kept = None if keep is None else read_period(keep)
    operations = read_operations(kept, log_level, proxy or (), base_path, tls_cert, tls_key, chat, log_programs)
    page = _home if open_browser else None
    held = class_name.strip() or "Quincunx" if classroom or class_name else None
    if processes is not None:
        from quincunx.cli.processes import NO_CLASS, Wanted, supervise

        if held is not None:
            raise Refused("one_process", NO_CLASS)
        where = database or own_file()
        wanted = Wanted(host, port, lan, where, workers, tuple(allowed_host or ()), operations, processes)
        return supervise(wanted, page)
    open_server(host, port, lan, database, workers, page, allowed_host or (), operations, held)


Page = Callable[[str], str]  # the address of a page, once the server answers at this one


def open_server(
    host: str,
    port: int,
    lan: bool,
    database: str | None,
    workers: int,
    page: Page | None,
    allowed: Iterable[str] = (),
    operations: Operations = AS_USUAL,
    classroom: str | None = None,
) -> None:
    """Until Ctrl-C. With a page to open, a server that runs already will do, unless a class is to be held."""
    there = address_of(host, port, operations)
    if page and classroom is None and _taken(host, port) and is_quincunx(there, 2):
        say(Words("Quincunx tourne déjà.", "Quincunx is already running."))
        return show(page(there))
    sock = free_door(host, port) if page else _listen(host, port)
    from quincunx.server.app import application  # only those who serve pay for it
    from quincunx.server.hosts import Hosts

    database, names = database or own_file(), Hosts(host, allowed)
    with closing(Doorman()) as doorman:
        app = application(
            database, workers, names=names, listener=doorman.line, operations=operations, classroom=classroom
        )
        try:
            with asyncio.Runner(loop_factory=quick_loop()) as runner:
                runner.run(run_app(app, host, sock, lan, page, names, doorman, operations))
        except BaseExceptionGroup as group:  # the framework wraps what goes wrong at its start
            raise innermost(group) from None


def _home(address: str) -> str:
    return address


def _teachers(address: str, token: str) -> str:
    """What stands after # is not sent, so it is in no log."""
    return f"{address}/classroom#token={token}"


def own_file() -> str:
    folder = user_data_path("quincunx")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        words = Words("Le dossier {} ne peut pas être créé : {}.", "The folder {} cannot be made: {}.")
        raise Refused("no_folder", words.format(folder, error.strerror)) from None
    return str(folder / "matches.db")


async def run_app(
    app: Any,
    host: str,
    sock: socket.socket,
    lan: bool,
    page: Page | None,
    names: Any,
    doorman: Doorman,
    operations: Operations,
) -> None:
    from quincunx.server.lan import Lan, Listener

    port: int = sock.getsockname()[1]
    shared = app.state.place.folder is not None
    network = app.state.lan = Lan(app, host, port, doorman.tell_addresses, names, operations, shared)
    async with app.lifespan():
        network.share(app.state.siblings)
        here = Listener(app, operations.tls)
        _on_signals(here, doorman)
        await here.open([sock])
        doorman.listen(address_of(host, port, operations))
        if network.is_open:
            doorman.tell_addresses(network.addresses)
        elif lan or network.was_opened:
            try:
                await network.open()
            except Refused as refused:  # it goes on for this computer
                doorman.complain(refused.words)
        if held := app.state.get("classroom"):
            doorman.tell_class(held, address_of(host, port, operations), network.addresses)
        if page:
            shown = (lambda address: _teachers(address, held.token)) if held else page
            await _show(shown, address_of(host, port, operations), here, doorman)
        await here.closed()
        if network.listener is not None:
            network.listener.should_exit = True
            await network.listener.closed()


async def _show(page: Page, address: str, server: Any, doorman: Doorman) -> None:
    """What cannot be shown ends the server that was started for it."""
    try:
        shown = await asyncio.to_thread(page, address)
        with doorman.aside():
            show(shown)
    except Refused as refused:
        doorman.complain(refused.words)
        server.should_exit = True


class Doorman:
    """Says where the server is: on a terminal in one line that stays in sight, elsewhere in a line of its own."""

    signals: tuple[signal.Signals, ...] = (signal.SIGINT, signal.SIGTERM)  # on which the server stops

    def __init__(self) -> None:
        from quincunx.cli.status import StatusLine

        self.line = StatusLine(sys.stderr) if sys.stderr.isatty() else None

    def aside(self) -> AbstractContextManager[None]:
        return self.line.above() if self.line else nullcontext()

    def listen(self, address: str) -> None:
        if self.line:
            self.line.listen(address)
        else:
            say(LISTENS.format(address))

    def tell_addresses(self, addresses: list[str]) -> None:
        from quincunx.server.lan import in_letters

        with self.aside():
            for address in addresses:
                say(OTHERS.format(address))
            if addresses and out.is_terminal:
                out.file.write(in_letters(f"{addresses[0]}/join"))
                out.file.flush()

    def tell_class(self, classroom: Any, address: str, addresses: list[str]) -> None:
        """`addresses`: for other computers."""
        stored = classroom.stored
        with self.aside():
            say(CODE.format(stored.name, stored.code))
            for each in addresses or [address]:
                say(PUPILS.format(f"{each}/class"))
            say(TEACHER)
            out.print(_teachers(address, classroom.token), markup=False, soft_wrap=True)  # whole, to be copied
            try:
                classroom.uploads.check_taken()
            except Refused as refused:
                say(NO_UPLOADS.format(refused.words))

    def complain(self, words: Words) -> None:
        with self.aside():
            complain(words)

    def stopping(self) -> None:
        if self.line:
            self.line.stopping()

    def close(self) -> None:
        if self.line:
            self.line.close()


def innermost(error: BaseException) -> BaseException:
    return innermost(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


def _on_signals(server: Any, doorman: Doorman) -> None:
    """Ctrl-C lets every client go properly; once more, and it ends at once."""

    def stop() -> None:
        doorman.stopping()
        server.force_exit = server.should_exit
        server.should_exit = True

    loop = asyncio.get_running_loop()
    for number in doorman.signals:
        with suppress(NotImplementedError):  # Windows
            loop.add_signal_handler(number, stop)


# -- ports ----------------------------------------------------------------------------------------------------------


def address_of(host: str, port: int, operations: Operations = AS_USUAL) -> str:
    """Where this computer finds it."""
    reached = "127.0.0.1" if host in ("0.0.0.0", "::", "") else host
    scheme, base = operations.scheme, operations.base_path
    return f"{scheme}://[{reached}]:{port}{base}" if ":" in reached else f"{scheme}://{reached}:{port}{base}"


def _listen(host: str, port: int) -> socket.socket:
    from quincunx.server.lan import door

    return door(host, port)


def _taken(host: str, port: int) -> bool:
    try:
        _listen(host, port).close()
    except Refused:
        return True
    return False


def free_door(host: str, port: int) -> socket.socket:
    """The port, or the next one that is free."""
    for candidate in range(port, min(port + NEXT_PORTS, 65535) + 1):
        with suppress(Refused):
            return _listen(host, candidate)
    words = Words("Les ports {} à {} sont pris.", "The ports {} to {} are in use.")
    raise Refused("in_use", words.format(port, min(port + NEXT_PORTS, 65535)))
