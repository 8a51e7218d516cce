"""Is a net better? It meets the same search without it, at equal time, on starts that nothing was chosen on.

Clocks lie on a busy machine, so time is turned into nodes: both think about the same positions in turn, the processor's
seconds are counted, and whoever thinks longer about a node gets fewer of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from time import thread_time

from msgspec.structs import replace

from quincunx.core.contract import CHANCE
from quincunx.games import load
from quincunx.learning.plan import Proof
from quincunx.players import make, nets
from quincunx.tournament.score import score_of
from quincunx.tournament.series import Series, pair_score
from quincunx.tournament.starts import of_proof

MATCHES = 4  # in which speed is measured
OPENING = 4
AT_ONCE = 20  # pairs
THOUGHT = {"alphabeta": 2000, "mcts": 200}  # of the player without a net


def players(game: str, file: str, thought: int, dearer: float = 1.0) -> tuple[str, str]:
    """The net, with as many nodes as the other's time is worth, and the other."""
    search = nets.search_of(load(game, "interpreted"))
    unit = "nodes" if search == "alphabeta" else "simulations"
    named = f"net:{file}," if file else "net:"
    return f"{named}{unit}={max(1, round(thought / dearer))}", f"{search}:{unit}={thought}"


def dearer(game: str, file: str, thought: int) -> float:
    """How much longer the net's player thinks about a node, or about a simulation, in the positions of some
    matches: the median, which a busy machine disturbs least."""
    rules = load(game, "compiled")
    both = [make(spec, rules) for spec in players(game, file, thought)]
    found: list[float] = []
    for number in range(MATCHES):
        world, dice = rules.new(seed=of_proof(number)), rules.random(number)
        while not rules.over(world):
            seat, action = rules.turn(world), 0
            if seat == CHANCE:
                rules.apply(world, CHANCE, rules.roll(world, dice))
                continue
            each = [0.0, 0.0]  # seconds a node
            for who in (0, 1) if len(found) % 2 else (1, 0):
                began = thread_time()
                action = both[who].choose(rules.view(world, seat))
                each[who] = (thread_time() - began) / max(1, both[who].info.nodes)
            found.append(each[0] / each[1])
            rules.apply(world, seat, action)
    return median(found)


def begin(game: str, file: str) -> Proof:
    """A proof of which nothing is played yet."""
    thought = THOUGHT[nets.search_of(load(game, "interpreted"))]
    return Proof(*players(game, "", thought, slower := dearer(game, file, thought)), slower)


def go_on(proof: Proof, game: str, file: str, pairs: int, jobs: int) -> Iterator[Proof]:
    """As it stands after every few pairs more, until there are so many."""
    net = proof.net.replace("net:", f"net:{file},", 1)
    while len(proof.scores) < pairs:
        done, more = len(proof.scores), min(AT_ONCE, pairs - len(proof.scores))
        start = of_proof(MATCHES + done)
        series = Series(game, (net, proof.other), 2 * more, seed=start, opening=OPENING, records=False)
        outcomes = {bout.number: bout.outcome for bout in series.run(jobs)}
        scores = [*proof.scores, *(pair_score(series, outcomes, pair) for pair in range(more))]
        found = score_of(scores)
        proof = replace(proof, scores=scores, score=found.mean, low=found.low, high=found.high)
        yield proof
