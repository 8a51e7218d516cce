"""The `quincunx` command. The language is settled first, then the commands are read in it."""

from __future__ import annotations

import sys


def main(arguments: list[str] | None = None) -> None:
    from quincunx.cli.speech import settle_language

    given = settle_language(sys.argv[1:] if arguments is None else arguments)
    from quincunx.cli.app import run

    sys.exit(run(given))
