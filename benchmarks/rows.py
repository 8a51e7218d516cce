"""What is compared with what, and the bars. To add a row: a contestant for each side, and a line in `rows`.

Same algorithm, same generator, same seed: where the other side is C++ written by hand, `agreements` must hold first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.contest import CLOCK, SECONDS, Row
from benchmarks.others import Environment, Limit, Peer
from benchmarks.ours import Call, Compile, Perft, Playouts, Thinking, checksum

from quincunx.games import Game, cards
from quincunx.players.budget import Budget
from quincunx.players.searching import AlphaBetaPlayer, MctsPlayer

OPENSPIEL = Environment("openspiel", "open_spiel")
PGX = Environment("pgx", "pgx")
PETTINGZOO = Environment("pettingzoo", "pettingzoo[classic]")
ENVIRONMENTS = (OPENSPIEL, PGX, PETTINGZOO)

GAMES, SEED = 500, 7  # of a checksum
DEPTH = 5  # of alpha-beta, deepened from 1


def rows() -> list[Row]:
    return [*_connect_four(), *_khet(), *_calls(), *_compiling()]


def _connect_four() -> Iterator[Row]:
    ours = Playouts("connect_four")
    rollouts = Peer("OpenSpiel C++ rollouts", OPENSPIEL, "openspiel.py", "rollouts")
    steps = Peer("OpenSpiel from Python", OPENSPIEL, "openspiel.py", "steps")
    pgx = Peer("pgx, every core", PGX, "pgx_batch.py", "moves", cores=0)
    pettingzoo = Peer("PettingZoo", PETTINGZOO, "pettingzoo_loop.py", "moves")
    limit = Limit("C++ by hand", "connect_four", "connect_four", ("playouts", SECONDS, SEED))
    yield Row("Connect Four playouts, OpenSpiel in C++", "games/s", ours, rollouts, bar=8)
    yield Row("Connect Four playouts, OpenSpiel in Python", "moves/s", ours, steps)
    yield Row("Connect Four playouts, pgx on every core", "moves/s" + CLOCK, ours, pgx, bar=2.5)
    yield Row("Connect Four playouts, PettingZoo", "moves/s", ours, pettingzoo, bar=500)
    yield Row("Connect Four playouts, C++ by hand", "moves/s", ours, limit)
    mcts = Peer("OpenSpiel MCTSBot in C++", OPENSPIEL, "openspiel.py", "mcts")
    player = Thinking("connect_four", lambda game: MctsPlayer(game, 1, Budget(simulations=10_000)), "simulations/s")
    yield Row("Connect Four MCTS, OpenSpiel in C++", "simulations/s", player, mcts, bar=5)


def _khet() -> Iterator[Row]:
    ours = Playouts("khet")
    limit = Limit("C++ by hand", "khet", "khet", ("playouts", SECONDS, SEED))
    yield Row("Khet playouts, C++ by hand", "moves/s", ours, limit, bar=0.95)
    for depth, rounds in ((4, None), (5, 2)):
        perft = Limit(f"C++ perft {depth}", "khet", "khet", ("perft", depth, SECONDS))
        yield Row(f"Khet perft {depth}, C++ by hand", "leaves/s", Perft("khet", depth), perft, bar=0.65, rounds=rounds)
    yield Row("Khet alpha-beta, C++ by hand", "nodes/s", _alphabeta(), _alphabeta_by_hand(SECONDS), bar=0.7)
    yield Row("Khet playouts, two threads to one", "moves/s" + CLOCK, Playouts("khet", threads=2), ours, bar=1.8)


def _alphabeta() -> Thinking:
    return Thinking("khet", lambda game: AlphaBetaPlayer(game, 1, Budget(depth=DEPTH)), "nodes/s")


def _alphabeta_by_hand(seconds: float) -> Limit:
    return Limit("C++ alpha-beta", "khet", "khet_alphabeta", (DEPTH, seconds))


def _calls() -> Iterator[Row]:
    """A Khet position in the middle of a game, from Python."""

    def call(what: str, make: Callable[[Game, Any], Callable[[], object]], gear: str = "compiled") -> Call:
        return Call(f"{gear} {what}", "khet", gear, make)

    legal = call("legal", lambda game, world: lambda: game.legal(world), "interpreted")
    yield Row("Khet legal moves, interpreted", "µs", legal, bar=30, at_most=True)
    makes: dict[str, Callable[[Game, Any], Callable[[], object]]] = {
        "turn": lambda game, world: lambda: game.turn(world),
        "legal": lambda game, world: lambda: game.legal(world),
        "check": lambda game, world: lambda: game.check(world, 0, 0),
        "clone": lambda game, world: lambda: game.clone(world),
        "clone and apply": _apply,
        "view": lambda game, world: lambda: game.view(world, 0),
    }
    for what, make in makes.items():
        yield Row(f"Khet façade, compiled: {what}", "µs", call(what, make))


def _apply(game: Game, world: Any) -> Callable[[], object]:
    seat, action = game.turn(world), game.legal(world)[0]
    return lambda: game.apply(game.clone(world), seat, action)


def _compiling() -> Iterator[Row]:
    for card in cards():
        yield Row(f"{card.name.en} compiled anew", "s", Compile(card.id, cached=False), bar=6, at_most=True, rounds=3)
        yield Row(f"{card.name.en} from the cache", "s", Compile(card.id, cached=True), bar=0.7, at_most=True)


def agreements() -> Iterator[tuple[str, object, object]]:
    """What both sides must find alike: a name, ours, theirs. `Missing` without a compiler."""
    for id in ("connect_four", "khet"):
        limit = Limit("C++ by hand", id, id, ("check", GAMES, SEED))
        limit.prepare()
        yield f"{id}: {GAMES} random games", checksum(id, GAMES, SEED), limit.measure()
    for depth in (1, 2, 3, 4):
        limit = Limit("C++ by hand", "khet", "khet", ("perft", depth, 0.001))
        yield f"khet: perft {depth}", Perft("khet", depth).leaves(), int(limit.measure()["leaves"])
    ours, theirs = _alphabeta(), _alphabeta_by_hand(0.001)
    ours.prepare()
    theirs.prepare()
    found = theirs.measure()
    yield (
        f"khet: alpha-beta to depth {DEPTH}",
        ours.choose(),
        {what: found[what] for what in ("nodes", "worth", "best")},
    )
