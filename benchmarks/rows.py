"""What is compared with what, and the bars. To add a row: a contestant for each side, and a line in `rows`.

Same algorithm, same generator, same seed: where the other side is C++ written by hand, `agreements` must hold first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from benchmarks.batches import BATCH, KILOBYTES, STEPS, TIMES, Batches, Memory
from benchmarks.compiling import PROCESSOR, FirstMove, Rules, Whole
from benchmarks.contest import BURDEN, CLOCK, SECONDS, Row
from benchmarks.others import Environment, Limit, Peer, has_limit
from benchmarks.ours import Call, Perft, Playouts, Start, Thinking, checksum
from benchmarks.programs import ABOVE, LONGEST, RANDOM_MATCHES, TURN, WARS, WHOLE, InProcess, Pipes, War
from benchmarks.programs import GAMES as PIPED
from benchmarks.servers import MATCHES, Served, boardgameio, echo, install, quincunx, two_processes
from benchmarks.think_time import MEDIAN, WORST, Kept
from benchmarks.tournaments import OVERHEAD, RATE, Tournaments
from benchmarks.zoo import MOVES, Turns

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
PROGRAMS = "Programs over pipes, and matches in process"
SERVERS = f"Servers: {MATCHES} matches of Connect Four at once, every move as soon as the one before it is acknowledged"
BATCHES = f"Environments: a batch of {BATCH:,}, random play, with observations and masks of all"
TREES = "Monte Carlo tree search: one tree, two threads to one"
TURNS = "Environments: PettingZoo's AEC, one match, with an observation and a mask before every move"
TIME = "Time is kept on a busy machine: a process that is never done on every core"
TOURNAMENTS = "Tournaments: 10,000 matches, random against random"
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
        *_threads(),
        *_calls(),
        *_every_game(ours, limit),
        *_wars(limit),
        *_compiling(),
        *_programs(),
        *_servers(),
        *_tournaments(),
        *_batches(),
        *_turns(),
        *_time(),
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


def _threads() -> Iterator[Row]:
    """One tree, grown by two threads or by one."""
    for id in ("garden", "khet", "chartichaud"):
        one, two = (_growing(id, threads) for threads in (1, 2))
        name = f"{load(id, 'interpreted').card.name.en} MCTS, two threads to one"
        yield Row(name, "simulations/s" + CLOCK, two, one, bar=1.7, part=TREES)


def _growing(id: str, threads: int) -> Thinking:
    def make(game: Game) -> MctsPlayer:
        return MctsPlayer(game, 1, Budget(time=0.2), threads=threads)

    return Thinking(id, make, "simulations/s", f"{threads} threads", cores=threads)


def _by_hand(ours: dict[str, Playouts], by_hand: dict[str, Limit]) -> Iterator[Row]:
    for card in cards():
        if card.id in by_hand:
            name, bar = f"{card.name.en} playouts, C++ by hand", 0.95 if card.id == "khet" else 0.9
            yield Row(name, "moves/s", ours[card.id], by_hand[card.id], bar=bar)


def _khet(ours: Playouts) -> Iterator[Row]:
    for depth in (4, 5):
        perft = Limit(f"C++ perft {depth}", "khet", "khet", ("perft", depth, SECONDS))
        yield Row(f"Khet perft {depth}, C++ by hand", "leaves/s", Perft("khet", depth), perft, bar=0.95)
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


def _programs() -> Iterator[Row]:
    names = {card.id: card.name.en for card in cards()}
    for id in PIPED:
        name = f"{names[id]}: a move of a program over pipes"
        yield Row(name, ABOVE, Pipes(id), bar=150, at_most=True, part=PROGRAMS, beside=WHOLE)
    matches = InProcess("cultist")
    name = f"Cultist: {RANDOM_MATCHES:,} matches between two random players"
    yield Row(name, PROCESSOR, matches, bar=3, at_most=True, part=PROGRAMS, beside="s" + CLOCK)
    for seats in WARS:
        yield Row(
            f"Casus Belli: a war of {seats} programs", LONGEST, War(seats),
            bar=1, at_most=True, rounds=2, part=PROGRAMS, beside=TURN,
        )  # fmt: skip


def _servers() -> Iterator[Row]:
    """Ours is durable when it acknowledges, theirs is in memory only; one generator plays the same games on both."""
    ours = Served("Quincunx on SQLite", "quincunx", quincunx)
    theirs = Served("boardgame.io in memory", "boardgameio", boardgameio, install)
    nothing = Served("a server that does nothing", "quincunx", echo)
    two = Served("Quincunx on SQLite, two processes", "quincunx", two_processes)
    unit = "moves/s" + CLOCK
    yield Row("Moves acknowledged, boardgame.io", unit, ours, theirs, bar=1.5, part=SERVERS)
    yield Row("The same with two processes", unit, two, theirs, bar=2.5, part=SERVERS)
    yield Row("The same, in processor time of the server", BURDEN, ours, theirs, at_most=True, part=SERVERS)
    yield Row("The generator's own limit, to ours", unit, nothing, ours, part=SERVERS)


def _tournaments() -> Iterator[Row]:
    """Random against random, on two processes, every result and record in SQLite."""
    ours = Tournaments()
    yield Row("A tournament of Connect Four", RATE, ours, bar=1500, part=TOURNAMENTS)
    yield Row("Its processor time above that of its matches", OVERHEAD, ours, bar=20, at_most=True, part=TOURNAMENTS)


def _batches() -> Iterator[Row]:
    """On one core in seconds of the processor, as pgx is measured there; on two by the clock."""
    encoded = [card for card in cards() if load(card.id, "interpreted").encoding is not None]
    ours = {card.id: Batches(card.id) for card in encoded}
    both = {card.id: Batches(card.id, threads=2) for card in encoded}
    alone = Peer("pgx batch, one core", PGX, "pgx_steps.py", "1")
    every = Peer("pgx batch, every core", PGX, "pgx_steps.py", "0", cores=0)
    yield Row("Connect Four: pgx, one core", STEPS, ours["connect_four"], alone, bar=3, part=BATCHES)
    yield Row("Connect Four: pgx, every core", STEPS + CLOCK, both["connect_four"], every, bar=3, part=BATCHES)
    for card in encoded:
        yield Row(f"{card.name.en}: a batch", STEPS, ours[card.id], part=BATCHES)
    for card in encoded:
        name = f"{card.name.en}: two threads to one"
        yield Row(name, STEPS + CLOCK, both[card.id], ours[card.id], bar=1.8, part=BATCHES)
    for card in encoded:
        name = f"{card.name.en}: memory of a match"
        yield Row(name, TIMES, Memory(card.id), bar=1.2, at_most=True, rounds=1, part=BATCHES, beside=KILOBYTES)


def _turns() -> Iterator[Row]:
    """Step by step from Python, without a bar: most of it is what PettingZoo asks for. Whoever wants speed has
    batches."""
    theirs = Peer("PettingZoo", PETTINGZOO, "pettingzoo_loop.py", "moves")
    yield Row(
        "Connect Four: a batch, PettingZoo's own AEC", STEPS, Batches("connect_four"), theirs,
        bar=100, part=TURNS, their_unit=MOVES,
    )  # fmt: skip
    yield Row("Connect Four: AEC, PettingZoo's own", MOVES, Turns("connect_four"), theirs, part=TURNS)
    for card in cards():
        if card.id != "connect_four":
            yield Row(f"{card.name.en}: AEC", MOVES, Turns(card.id), part=TURNS)


def _time() -> Iterator[Row]:
    """Whoever waits for the processor is late, whatever it does: no bars, which the machine would decide."""
    for id, spec in (("khet", "alphabeta"), ("garden", "mcts")):
        for seconds in (0.001, 0.01, 0.05):
            name = f"{load(id, 'interpreted').card.name.en}: {spec} of {1000 * seconds:g} ms"
            yield Row(name, MEDIAN, Kept(id, spec, seconds), at_most=True, part=TIME, beside=WORST)


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
