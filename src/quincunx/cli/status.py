"""The server on a terminal: one line, always the last, that says where it is and what it is doing.

    http://127.0.0.1:8765 · Ctrl-C stops · preparing Khet, 3 of 6

It takes the place of the log there: what a running server notes becomes the end of this line, what it warns of is
written above it. Where nobody looks, the log has a line for each (server/logs.py).
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from quincunx.cli.speech import language
from quincunx.core.words import Words
from quincunx.games import cards
from quincunx.server.logs import Lines

CLEAR = "\r\x1b[2K"
STOPS = Words("Ctrl-C arrête le serveur", "Ctrl-C stops")
STARTING = Words("Le serveur démarre…", "Starting…")
PREPARING = Words("préparation de {}, {} sur {}", "preparing {}, {} of {}")
LOADING = Words("préparation des jeux", "preparing the games")
READY = Words("tout est prêt", "everything is ready")
STOPPING = Words("Le serveur s’arrête… (Ctrl-C encore : tout de suite)", "Stopping… (Ctrl-C again: at once)")
GOODBYE = Words("Serveur arrêté. À bientôt !", "The server has stopped. See you soon!")


class StatusLine(logging.Handler):
    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self.setFormatter(Lines(readable=True))
        self._stream = stream
        self._text = ""
        self._address = ""
        self._was_reached = False
        self._waiting = {card.id: card.name for card in cards()}
        self._games = len(self._waiting)
        self.show(STARTING)

    def show(self, words: Words) -> None:
        self._text = words.of(language())
        self._draw()

    def listen(self, address: str) -> None:
        """From now on it can be reached here."""
        self._address, self._was_reached = address, True
        self._progress(LOADING if self._waiting else READY)

    def stopping(self) -> None:
        self._address = ""
        self.show(STOPPING)

    def let_go(self) -> None:
        """In a process that was forked: the line is the other one's, to the last word."""
        self._text = self._address = ""

    def close(self) -> None:
        if self._text:
            self._text = ""
            self._stream.write(CLEAR + (f"{GOODBYE.of(language())}\n" if self._was_reached else ""))
            self._stream.flush()
        super().close()

    @contextmanager
    def above(self) -> Iterator[None]:
        """Whatever is written meanwhile stands above the line."""
        self._stream.write(CLEAR)
        self._stream.flush()
        yield
        self._draw()

    def emit(self, record: logging.LogRecord) -> None:
        fields = getattr(record, "fields", {})
        if record.msg == "compiling":
            place = self._games - len(self._waiting) + 1
            self._progress(PREPARING.format(self._waiting[fields["game"]], place, self._games))
        elif record.msg == "compiled":
            self._waiting.pop(fields["game"], None)
            self._progress(LOADING if self._waiting else READY)
        elif record.levelno >= logging.WARNING:
            if record.msg == "compiling.failed":  # it stays interpreted
                self._waiting.pop(fields.get("game", ""), None)
            with self.above():
                self._stream.write(f"{self.format(record)}\n")

    def _progress(self, words: Words) -> None:
        if self._address:
            self.show(Words("{} · {} · {}", "{} · {} · {}").format(self._address, STOPS, words))

    def _draw(self) -> None:
        if self._text:
            self._stream.write(CLEAR + self._text[: shutil.get_terminal_size().columns - 1])
            self._stream.flush()
