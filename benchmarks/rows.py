"""What is compared with what, and the bars. To add a row: a contestant for each side, and a line in `rows`.

Same algorithm, same generator, same seed: where the other side is C++ written by hand, `agreements` must hold first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from benchmarks.compiling import PROCESSOR, FirstMove, Rules, Whole
from benchmarks.contest import BURDEN, CLOCK, SECONDS, Row
from benchmarks.others import Environment, Limit, Peer, has_limit
from benchmarks.ours import Call, Perft, Playouts, Start, Thinking, checksum
from benchmarks.servers import MATCHES, Served, boardgameio, echo, install, quincunx

from quincunx.games import Game, GearName, World, cards, load
from quincunx.players.alphabeta import AlphaBetaPlayer
from quincunx.players.budget import Budget
from quincunx.players.mcts import MctsPlayer
from quincunx.players.minimax import ExactPlayer

OPENSPIEL = Environment("openspiel", "open_spiel")
PGX = Environment("pgx", "pgx")
PETTINGZOO = Environment("pettingzoo", "pettingzoo[classic]")
ENVIRONMENTS = (OPENSPIEL, PGX, PETTINGZOO)

GAMES, SEED = 500, 7  # of a checksum
DEPTH = 5  # of alpha-beta, deepened from 1
NODES = 250_000  # of a thought of the strongest players

FACADE = "Khet from Python"
EVERY_GAME = "Every game, beside one move of Connect Four in C++ by hand"
WAITING = "Before the first move"
SERVERS = f"Servers: {MATCHES} matches of Connect Four at once, every move as soon as the one before it is acknowledged"
SMALL_WAR = Start("casus_belli", options=(("width", 20), ("height", 20)))  # of three players
GREAT_WAR = Start("casus_belli", setup="hundred", options=(("seats", 100),))
PLAYOUTS = {"chartichaud": 1.5e6, "garden": 2e6}  # orientation: actions a second
ORDERS = {SMALL_WAR: 100e3, GREAT_WAR: 20e3}  # orientation: orders a second
IMAGINE = {Start("chartichaud"): 50, SMALL_WAR: 50}  # orientation: µs, for 20,000 worlds a second
LARGE = ("casus_belli",)  # rules of several times the size of the others

Make = Callable[[Game, World], Callable[[], object]]


def rows() -> list[Row]:
    ours = {card.id: Playouts(Start(card.id)) for card in cards()}  # shared by rows: measured once a round
    by_hand = {id: Limit("C++ by hand", id, id, ("playouts", SECONDS, SEED)) for id in ours if has_limit(id)}
    limit = by_hand["connect_four"]
    return [
        *_connect_four(ours["connect_four"]),
        *_by_hand(ours, by_hand),
        *_khet(ours["khet"]),
        *_calls(),
        *_every_game(ours, limit),
        *_wars(limit),
        *_compiling(),
        *_servers(),
    ]


def _connect_four(ours: Playouts) -> Iterator[Row]:
    rollouts = Peer("OpenSpiel C++ rollouts", OPENSPIEL, "openspiel.py", "rollouts")
    steps = Peer("OpenSpiel from Python", OPENSPIEL, "openspiel.py", "steps")
    pgx = Peer("pgx, every core", PGX, "pgx_batch.py", "moves", cores=0)
    pettingzoo = Peer("PettingZoo", PETTINGZOO, "pettingzoo_loop.py", "moves")
    yield Row("Connect Four playouts, OpenSpiel in C++", "games/s", ours, rollouts, bar=8)
    yield Row("Connect Four playouts, OpenSpiel in Python", "moves/s", ours, steps)
    yield Row("Connect Four playouts, pgx on every core", "moves/s" + CLOCK, ours, pgx, bar=2.5)
    yield Row("Connect Four playouts, PettingZoo", "moves/s", ours, pettingzoo, bar=500)
    mcts = Peer("OpenSpiel MCTSBot in C++", OPENSPIEL, "openspiel.py", "mcts")
    player = Thinking("connect_four", lambda game: MctsPlayer(game, 1, Budget(simulations=10_000)), "simulations/s")
    yield Row("Connect Four MCTS, OpenSpiel in C++", "simulations/s", player, mcts, bar=8)


def _by_hand(ours: dict[str, Playouts], by_hand: dict[str, Limit]) -> Iterator[Row]:
    for card in cards():
        if card.id in by_hand:
            name, bar = f"{card.name.en} playouts, C++ by hand", 0.95 if card.id == "khet" else 0.9
            yield Row(name, "moves/s", ours[card.id], by_hand[card.id], bar=bar)


def _khet(ours: Playouts) -> Iterator[Row]:
    for depth, rounds in ((4, None), (5, 2)):
        perft = Limit(f"C++ perft {depth}", "khet", "khet", ("perft", depth, SECONDS))
        yield Row(f"Khet perft {depth}, C++ by hand", "leaves/s", Perft("khet", depth), perft, bar=0.95, rounds=rounds)
    plain = _alphabeta_by_hand(SECONDS)
    yield Row("Khet alpha-beta, C++ by hand", "nodes/s", _alphabeta(), plain, bar=0.95)
    for id, name in (("khet", "Khet"), ("cultist", "Cultist")):
        deep = _deep(id)
        yield Row(f"{name} alpha-beta of the strongest players", "nodes/s", deep, plain, orientation=2.5e6)
    yield Row("Khet playouts, two threads to one", "moves/s" + CLOCK, Playouts(Start("khet"), threads=2), ours, bar=1.8)


def _alphabeta() -> Thinking:
    return Thinking("khet", lambda game: ExactPlayer(game, 1, Budget(depth=DEPTH)), "nodes/s")


def _deep(id: str) -> Thinking:
    """The search of the strongest players, from the start, in the time of a move."""
    return Thinking(id, lambda game: AlphaBetaPlayer(game, 1, Budget(nodes=NODES)), "nodes/s", "deep")


def _alphabeta_by_hand(seconds: float) -> Limit:
    weights = (value for _, value, _, _ in load("khet", "interpreted").weights)
    return Limit("C++ alpha-beta", "khet", "khet_alphabeta", (DEPTH, seconds, *weights))


def _calls() -> Iterator[Row]:
    """A Khet position in the middle of a game, from Python."""

    def call(what: str, make: Make, gear: GearName = "compiled") -> Call:
        return Call(f"khet {gear} {what}", Start("khet"), make, gear)

    legal = call("legal", lambda game, world: lambda: game.legal(world), "interpreted")
    yield Row("Khet legal moves, interpreted", "µs", legal, bar=30, at_most=True, part=FACADE)
    makes: dict[str, Make] = {
        "turn": lambda game, world: lambda: game.turn(world),
        "legal": lambda game, world: lambda: game.legal(world),
        "check": lambda game, world: lambda: game.check(world, 0, 0),
        "clone and apply": _apply,
    }
    for what, make in makes.items():
        yield Row(f"Khet façade, compiled: {what}", "µs", call(what, make), part=FACADE)


def _apply(game: Game, world: World) -> Callable[[], object]:
    seat, action = game.turn(world), game.legal(world)[0]
    return lambda: game.apply(game.clone(world), seat, action)


def _every_game(ours: dict[str, Playouts], limit: Limit) -> Iterator[Row]:
    """Default preset and map; every listed action equally likely, the listing included."""
    for card in cards():
        start, name = Start(card.id), card.name.en
        interpreted = Playouts(start, gear="interpreted")
        orientation = PLAYOUTS.get(card.id)
        yield Row(f"{name}: playouts", "moves/s", ours[card.id], limit, part=EVERY_GAME, orientation=orientation)
        yield Row(f"{name}: playouts, interpreted", "moves/s", interpreted, limit, part=EVERY_GAME)
        yield from _costs(start, name, limit)


def _wars(limit: Limit) -> Iterator[Row]:
    """Casus Belli in units' orders: sealing them is no order."""
    for start, name in (
        (SMALL_WAR, "Casus Belli, 3 players, 20×20"),
        (GREAT_WAR, "Casus Belli, 100 players on their map"),
    ):
        yield Row(
            f"{name}: orders", "orders/s", Playouts(start), limit,
            part=EVERY_GAME, their_unit="moves/s", orientation=ORDERS[start],
        )  # fmt: skip
    yield from _costs(SMALL_WAR, "Casus Belli, 3 players, 20×20", limit)


def _costs(start: Start, name: str, limit: Limit) -> Iterator[Row]:
    """A new view observed, a new state imagined, a state cloned: from Python, in the middle of a game."""
    makes: dict[str, Make] = {"observe": _observe, "imagine": _imagine, "clone": _clone}
    for what, make in makes.items():
        call = Call(f"{start.name} {what}", start, make)
        orientation = IMAGINE.get(start) if what == "imagine" else None
        yield Row(f"{name}: {what}", "µs", call, limit, at_most=True, part=EVERY_GAME, orientation=orientation)


def _observe(game: Game, world: World) -> Callable[[], object]:
    seat = game.turn(world)
    return lambda: game.view(world, seat)


def _imagine(game: Game, world: World) -> Callable[[], object]:
    observation, random = game.view(world, game.turn(world)), game.random(SEED)
    return lambda: game.imagine(observation, random)


def _clone(game: Game, world: World) -> Callable[[], object]:
    return lambda: game.clone(world)


def _compiling() -> Iterator[Row]:
    """Compiling is counted in processor time; the first move by the clock, as whoever waits counts."""
    clock = "s" + CLOCK
    for card in cards():
        name, large = card.name.en, card.id in LARGE
        rules, whole, first = Rules(card.id), Whole(card.id), FirstMove(card.id)
        yield Row(
            f"{name}: its rules, compiled anew", PROCESSOR, rules,
            bar=2.7 if large else 1, at_most=True, rounds=2, part=WAITING, beside=clock,
        )  # fmt: skip
        yield Row(
            f"{name}: all of it, compiled anew", PROCESSOR, whole,
            bar=4 if large else 2.5, at_most=True, rounds=2, part=WAITING, beside=clock,
        )  # fmt: skip
        yield Row(
            f"{name}: the first move, from the cache", clock, first,
            bar=0.3, at_most=True, part=WAITING, beside=PROCESSOR,
        )  # fmt: skip


def _servers() -> Iterator[Row]:
    """Ours is durable when it acknowledges, theirs is in memory only; one generator plays the same games on both."""
    ours = Served("Quincunx on SQLite", "quincunx", quincunx)
    theirs = Served("boardgame.io in memory", "boardgameio", boardgameio, install)
    nothing = Served("a server that does nothing", "quincunx", echo)
    unit = "moves/s" + CLOCK
    yield Row("Moves acknowledged, boardgame.io", unit, ours, theirs, bar=1.5, part=SERVERS)
    yield Row("The same, in processor time of the server", BURDEN, ours, theirs, at_most=True, part=SERVERS)
    yield Row("The generator's own limit, to ours", unit, nothing, ours, part=SERVERS)


def agreements() -> Iterator[tuple[str, object, object]]:
    """What both sides must find alike: a name, ours, theirs. `Missing` without a compiler."""
    for card in cards():
        if has_limit(card.id):
            limit = Limit("C++ by hand", card.id, card.id, ("check", GAMES, SEED))
            limit.prepare()
            yield f"{card.id}: {GAMES} random games", checksum(card.id, GAMES, SEED), limit.measure()
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
        {what: found[what] for what in ("nodes", "value", "best")},
    )
