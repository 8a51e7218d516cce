"""A game with its searches as WebAssembly, and what whoever drives them there must know: web/src/lib/engine/ does what
the players of this folder do, with these numbers.
"""

from __future__ import annotations

from quincunx.core.compile.wasm import Portable, build
from quincunx.games import load
from quincunx.players import alphabeta, analysis, line, mcts
from quincunx.players.fingerprint import sources
from quincunx.players.warming import parts
from quincunx.search import history, transposition
from quincunx.search.value import WIN


def portable(id: str, *, shared: bool = False) -> Portable:
    """Everything that `quincunx warm` compiles for this computer. What WEIGHTS say is compiled in."""
    game = load(id, "interpreted")
    code, description = build([game.gear.plan(rule) for rule in parts(id)], shared=shared)
    about = {
        "game": id,
        "sources": sources(id),
        "open": game.card.open,
        "adviser": game.levels[-1].player,
        "judging": {
            "steep": analysis.STEEP,
            "worlds": 1 if game.card.plain else analysis.WORLDS,
            "mistake": analysis.MISTAKE,
            "blunder": analysis.BLUNDER,
            "longestLine": line.LONGEST_LINE,
            "rolls": line.ROLLS,
        },
        "maxLegal": game.rules.MAX_LEGAL,
        "alphabeta": {
            "win": WIN,
            "maxPly": history.MAX_PLY,
            "ages": transposition.AGES,
            "deepest": alphabeta.DEEPEST,
            "megabytes": alphabeta.MEGABYTES,
            "contempt": alphabeta.CONTEMPT,
        },
        "mcts": {"nodes": mcts.NODES, "habits": {name: float(habit) for name, habit in mcts.habits_of(game).items()}},
    }
    return Portable(code, {**about, **description})
