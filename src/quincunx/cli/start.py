"""`quincunx` and nothing else, on a terminal: whoever has just installed it is asked what to play."""

from __future__ import annotations

import sys

from quincunx.cli.speech import language, out, say, tr
from quincunx.core.words import Words
from quincunx.games import cards

LEVEL = "level:2"  # the one at which the pages begin, too
HERE = Words("ici, dans le terminal, contre l’ordinateur", "here, in the terminal, against the computer")
BROWSER = Words("Entrée  jouer dans le navigateur", "Enter   play in the browser")
MORE = Words("?       toutes les commandes", "?       all commands")
AGAIN = Words("Un numéro de 1 à {}, Entrée, ou q pour quitter.", "A number from 1 to {}, Enter, or q to quit.")
COMMANDS = ["--help"]
IN_THE_BROWSER = ["serve", "--open"]


def somebody_is_there() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def chosen() -> list[str]:
    """The command line that this person would have typed; empty if they leave."""
    simple_first = sorted(cards(), key=lambda card: (card.fog, card.dice))
    games = [(card.id, card.name.of(language())) for card in simple_first]
    _offer([name for _, name in games])
    while (line := _asked()) is not None:
        match line.strip().lower():
            case "":
                return IN_THE_BROWSER
            case "?" | "help" | "aide":
                return COMMANDS
            case "q" | "quit" | "quitter":
                break
            case number if number.isdecimal() and 1 <= int(number) <= len(games):
                return ["play", games[int(number) - 1][0], "--against", LEVEL]
            case _:
                say(AGAIN.format(len(games)))
    return []


def _offer(names: list[str]) -> None:
    out.print("⁙ [bold]Quincunx[/bold]\n")
    say(BROWSER)
    for number, name in enumerate(names, 1):
        out.print(f"{number:<7} {name}", markup=False, end="")
        out.print(f"  [dim]{HERE.of(language())}[/dim]" if number == 1 else "")
    say(MORE)
    out.print()


def _asked() -> str | None:
    try:
        return out.input(tr("À quoi jouez-vous ? ", "What do you play? "))
    except EOFError:
        return None
