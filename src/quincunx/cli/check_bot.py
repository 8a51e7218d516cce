"""`quincunx check-bot`: plays a program through odd situations and says what to mend."""

from __future__ import annotations

from typing import Annotated

import typer

from quincunx.cli.speech import language, out, say, tr
from quincunx.core.words import Words
from quincunx.games import load
from quincunx.players.programs.checkup import SITUATIONS, check_up

ALL_WELL = Words("Tout va bien : {} situations.", "All is well: {} situations.")
TO_MEND = Words("À corriger : {} situation(s) sur {}.", "To be mended: {} of {} situations.")


def check_bot(
    command: Annotated[list[str], typer.Argument(metavar="-- COMMAND…", help=tr("le programme", "the program"))],
    game: Annotated[str, typer.Option(help=tr("le jeu auquel il joue", "the game that it plays"))] = "connect_four",
) -> int:
    wrong = 0
    with out.status(tr("Le programme démarre…", "The program starts…")) as status:
        for finding in check_up(load(game), command):
            name, advice = finding.situation.name.of(language()), finding.situation.advice.of(language())
            mark = "[green]✓[/green]" if finding.wrong is None else "[red]✗[/red]"
            out.print(f"{mark} {finding.number:2}  {name}  [dim]{finding.seconds:.1f} s[/dim]")
            if finding.wrong is not None:
                wrong += 1
                out.print(f"       {finding.wrong.of(language())}", style="red", markup=False)
                out.print(f"       → {advice}", markup=False)
            if finding.number < len(SITUATIONS):
                status.update(SITUATIONS[finding.number].name.of(language()) + "…")
    say(TO_MEND.format(wrong, len(SITUATIONS)) if wrong else ALL_WELL.format(len(SITUATIONS)))
    return 1 if wrong else 0
