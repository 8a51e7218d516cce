"""Players by name: `random`, `greedy`, `minimax:depth=3`, `alphabeta:time=0.5`, `mcts:simulations=2000`, `level:7`,
`net:time=0.5`, `net:FILE,time=0.5`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from quincunx.core.words import Words, expected
from quincunx.games import Game
from quincunx.players import nets
from quincunx.players.alphabeta import AlphaBetaPlayer
from quincunx.players.budget import Budget
from quincunx.players.distracted import Distracted
from quincunx.players.levels import spec_of
from quincunx.players.mcts import MctsPlayer
from quincunx.players.minimax import MinimaxPlayer
from quincunx.players.player import Player
from quincunx.players.programs.limits import Limits
from quincunx.players.programs.naming import is_program, make_program
from quincunx.players.programs.program import Program
from quincunx.players.simple import GreedyPlayer, OwnPlayer, RandomPlayer

_LIMITS = {
    "time": (0.001, 3600.0),
    "nodes": (1, 10**12),
    "depth": (1, 64),
    "simulations": (1, 10**9),
    "mistakes": (0, 100),
    "threads": (1, 64),
    "table": (1, 4096),
    "contempt": (-1000, 1000),
}
_OWN = ("threads", "table", "contempt")  # settings of a search that are no budget
_TAKES = {
    "random": (),
    "greedy": (),
    "minimax": ("time", "nodes", "depth", "mistakes"),
    "alphabeta": ("time", "nodes", "depth", "mistakes", *_OWN),
    "mcts": ("time", "simulations", "mistakes", "threads"),
}
_MAKERS: dict[str, Callable[..., Any]] = {
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
    "minimax": MinimaxPlayer,
    "alphabeta": AlphaBetaPlayer,
    "mcts": MctsPlayer,
}
KINDS = {
    "level:1": Words("le débutant, et ainsi jusqu’à level:8", "the beginner, and so on up to level:8"),
    "random": Words("joue au hasard", "plays at random"),
    "greedy": Words("prend ce qui paraît le mieux tout de suite", "takes what looks best at once"),
    "minimax": Words("calcule toutes les suites (time, nodes, depth)", "looks at every line (time, nodes, depth)"),
    "alphabeta": Words(
        "calcule les suites utiles (time, nodes, depth, threads, table, contempt)",
        "looks at useful lines (time, nodes, depth, threads, table, contempt)",
    ),
    "net": Words(
        "cherche de même, avec une évaluation apprise : celle du jeu, ou net:FICHIER",
        "searches likewise, with an evaluation that was learned: the game’s, or net:FILE",
    ),
    "mcts": Words(
        "simule des parties (time, simulations, threads)", "plays many games in thought (time, simulations, threads)"
    ),
}


def make(spec: str, game: Game, seed: int = 0) -> Player:
    """The player that `spec` describes, for one game; Refused if it describes none."""
    if spec.startswith("level:"):
        player = make(spec_of(spec, game), game, seed)
    elif spec in game.opponents:
        return OwnPlayer(game, seed, spec)
    else:
        values = settings(spec, game)
        name = spec.partition(":")[0]
        if name == "net":
            playing, habits = nets.with_net(game, nets.split(spec)[0])
            player = _searching(nets.search_of(game), playing, seed, values, habits)
        else:
            player = _searching(name, game, seed, values) if _TAKES[name] else _MAKERS[name](game, seed)
    player.name = spec
    return player


def sit_down(spec: str, game: Game, seed: int = 0, limits: Limits | None = None) -> Player | Program:
    """Whoever may sit at a table: a player of ours, or a program."""
    return make_program(spec, game, limits) if is_program(spec) else make(spec, game, seed)


def _searching(name: str, game: Game, seed: int, settings: dict[str, Any], habits: Mapping[str, float] = {}) -> Player:
    mistakes = settings.pop("mistakes", 0)
    own = {key: settings.pop(key) for key in _OWN if key in settings}
    thinker: Player = _MAKERS[name](game, seed, Budget(**settings), **own, **habits)
    return Distracted(game, seed, thinker, mistakes) if mistakes else thinker


def settings(spec: str, game: Game, most: Mapping[str, float] = {}) -> dict[str, Any]:
    """What `spec` says of a player that could be made; Refused if none could, or if a setting is above `most`."""
    name, _, rest = spec.partition(":")
    if spec in game.opponents:
        return {}
    if name == "level":
        return settings(spec_of(spec, game), game)  # ours, whatever may be asked for
    if name == "net":
        file, rest = nets.split(spec)
        if file and most:  # of whoever asks from elsewhere
            raise expected(Words("net sans fichier", "net without a file"), spec)
        nets.find(file, game)
        name = nets.search_of(game)
    if name not in _MAKERS:
        known = ", ".join([*_MAKERS, "net", *game.opponents])
        raise expected(Words("un joueur parmi {}", "one of the players {}").format(known), spec)
    if rest and not _TAKES[name]:
        raise expected(Words("{} sans réglage", "{} without settings").format(name), spec)
    values: dict[str, Any] = {}
    for pair in rest.split(",") if rest else []:
        key, _, text = pair.partition("=")
        if key not in _TAKES[name]:
            known = ", ".join(f"{name}:{k}=…" for k in _TAKES[name])
            raise expected(Words("un réglage parmi {}", "one of the settings {}").format(known), spec)
        values[key] = _number(key, text, spec, most.get(key))
    return values


def _number(key: str, text: str, spec: str, most: float | None) -> float | int:
    low, high = _LIMITS[key]
    high = high if most is None else most
    try:
        value = float(text) if key == "time" else int(text)
    except ValueError:
        value = low - 1
    if not low <= value <= high:
        raise expected(Words("{} de {} à {}", "{} from {} to {}").format(key, low, high), spec)
    return value
