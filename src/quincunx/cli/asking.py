"""Before something is done that cannot be undone: a question with yes or no, in the language that is spoken."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from quincunx.cli.speech import language, out, tr
from quincunx.core.words import Refused, Words

SURE = Words("{} Continuer ? [o/N] ", "{} Go on? [y/N] ")
NOT_ASKED = Words(
    "{} Personne n’est là pour confirmer : ajoutez --yes.", "{} Nobody is there to confirm it: add --yes."
)
LEFT = Words("Rien n’a été fait.", "Nothing was done.")

YES = Annotated[bool, typer.Option("--yes", "-y", help=tr("sans demander confirmation", "without asking first"))]


def confirm(what: Words, yes: bool) -> None:
    """Refused unless somebody says yes."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise Refused("not_confirmed", NOT_ASKED.format(what))
    out.print(SURE.format(what).of(language()), end="", markup=False)
    if sys.stdin.readline().strip().lower() not in ("o", "oui", "y", "yes"):
        raise Refused("not_confirmed", LEFT)
