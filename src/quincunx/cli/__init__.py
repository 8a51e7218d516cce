"""The `quincunx` command. The language is settled first, then the commands are read in it."""

from __future__ import annotations

import sys
from io import TextIOWrapper


def _bear_any_text() -> None:
    """A terminal that lacks a letter, or sends bytes that are none, gets a question mark instead of an error."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def main(arguments: list[str] | None = None) -> None:
    from quincunx.cli.speech import choose_language

    _bear_any_text()
    given = choose_language(sys.argv[1:] if arguments is None else arguments)
    from quincunx.cli.app import run

    sys.exit(run(given))
