"""The flight recorder for matches on a server elsewhere: a file each, completed from the record once they are over."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

from quincunx.core.words import Refused
from quincunx.match import decode
from quincunx.players.programs.flight import ENDING, completed

PATIENCE = 20.0  # seconds for a record


class Flights:
    """Without a folder, none is kept."""

    def __init__(self, base: str, folder: Path | None) -> None:
        self._base = base
        self._folder = folder

    def file(self, match: str) -> Path | None:
        return None if self._folder is None else self._folder / f"{match}{ENDING}"

    def complete(self, match: str) -> None:
        """Where a server does not say how it was, the file stays as it is."""
        file = self.file(match)
        if file is None or not file.is_file():
            return
        with suppress(URLError, OSError, Refused, ValueError):
            address = f"{self._base}/api/matches/{match}/record"
            with build_opener(ProxyHandler({})).open(address, timeout=PATIENCE) as answer:
                record = decode(answer.read())
            file.write_bytes(completed(file.read_bytes(), record))
