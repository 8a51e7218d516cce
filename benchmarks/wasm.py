"""WebAssembly beside machine code, in turns: `python benchmarks/wasm.py [--rounds N] [--seconds S] [GAME …]`.

Random games, perft, alpha-beta and Monte Carlo tree search of every game, in Node and natively, with the same amount of
work and the same results, or it fails. Seconds are those of the processor, on one core. A ratio of 0.8: WebAssembly
does in a second 0.8 of what machine code does ("ours" is WebAssembly, "theirs" machine code).
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(1, str(Path(__file__).parents[1] / "tests"))

from benchmarks.contest import Figures, Missing, Row, run, tables
from rich.console import Console

from quincunx.core.contract import CHANCE, NOBODY, State
from quincunx.core.words import Refused
from quincunx.games import cards, load
from quincunx.players.alphabeta import AlphaBetaPlayer
from quincunx.players.budget import Budget
from quincunx.players.mcts import MctsPlayer
from quincunx.players.portable import portable
from quincunx.search import walk
from quincunx.search.perft import count_leaves
from wasm_node import node, packed, write

LONGEST = 2000  # actions of a random game
ROUNDS, SECONDS = 5, 0.8  # of one measurement, about
UNITS = {"playouts": "actions/s", "perft": "leaves/s", "alphabeta": "nodes/s", "mcts": "rounds/s"}
OPEN_ONLY = ("perft", "alphabeta")
Done = tuple[int, str]  # how much was done, and what came of it


class Jobs:
    """Those of one game, as machine code. `amount` is games, plies, nodes or rounds."""

    def __init__(self, id: str) -> None:
        self.game: Any = load(id, "compiled")
        self.world = self.game.new(seed=1)
        while self.game.turn(self.world) == CHANCE:
            self.game.apply(self.world, CHANCE, self.game.roll(self.world, self.game.random(1)))
        self.outlook = self.game.view(self.world, self.game.turn(self.world))
        self._players: dict[str, tuple[int, Any]] = {}  # by job, with what they were made for

    def playouts(self, amount: int) -> Done:
        game, gear, w = self.game, self.game.gear, self.world
        out, log, state = gear.ints(game.rules.MAX_LEGAL), game.log(NOBODY, silent=True), gear.rows(State, 1)
        games = gear.bind(walk.random_games)
        steps = games(w.terms, w.rows, amount, LONGEST, game.random(7), state, out, log)
        return steps, f"{steps}"

    def perft(self, amount: int) -> Done:
        leaves = count_leaves(self.game, self.world, amount)
        return leaves, f"{leaves}"

    def alphabeta(self, amount: int) -> Done:
        player = self._player("alphabeta", amount, partial(AlphaBetaPlayer, self.game, 1, Budget(nodes=amount)))
        action = player.choose(self.outlook)
        return player.info.nodes, f"{action} {player.info.nodes} {player.info.depth}"

    def mcts(self, amount: int) -> Done:
        player = self._player("mcts", amount, partial(MctsPlayer, self.game, 1, Budget(simulations=amount)))
        return amount, f"{player.choose(self.outlook)} {player._tree[0]['used']}"

    def _player(self, job: str, amount: int, make: Callable[[], Any]) -> Any:
        """Its room is made once, as in Node."""
        made_for, player = self._players.get(job, (0, None))
        if made_for != amount:
            player = make()
            self._players[job] = amount, player
        player.begin(1)
        return player


@dataclass
class Native:
    jobs: Jobs
    job: str
    seconds: float
    amount: int = 0
    mark: str = ""
    cores: int = 1

    @property
    def name(self) -> str:
        return f"{self.jobs.game.card.id} {self.job}, machine code"

    def prepare(self) -> None:
        """So much work that it takes about the time that was asked for."""
        plies = self.job == "perft"
        amount, took, done, before = 1 if plies else 8, 0.0, 0, -1
        while not self.amount and took < self.seconds / (16 if plies else 2) and (done != before or not done):
            amount, before = amount + 1 if plies else 2 * amount, done
            try:
                done, self.mark, took = self.work(amount)
            except Refused:
                raise Missing("dice on the way") from None
        self.amount = self.amount or amount

    def work(self, amount: int) -> tuple[int, str, float]:
        begun = time.process_time()
        done, mark = getattr(self.jobs, self.job)(amount)
        return done, mark, time.process_time() - begun

    def measure(self) -> Figures:
        done, self.mark, took = self.work(self.amount)
        return {UNITS[self.job]: done / took}


@dataclass
class InNode:
    """A process of Node that does what a line asks for, and answers with a line."""

    native: Native
    folder: Path
    process: Any = field(default=None, repr=False)
    cores: int = 1

    @property
    def name(self) -> str:
        return self.native.name.replace("machine code", "WebAssembly")

    def prepare(self) -> None:
        self.native.prepare()
        game, world = self.native.jobs.game, self.native.jobs.world
        if not (self.folder / f"{game.card.id}.wasm").exists():
            write(portable(game.card.id), self.folder, game.card.id)
        command = [node(), "--no-warnings", str(Path(__file__).with_suffix(".mjs")), str(self.folder), game.card.id]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)
        print(packed(game.to_bytes(world)), file=self.process.stdin, flush=True)
        for _ in range(2):  # what is hot is compiled anew by then
            self.measure()

    def measure(self) -> Figures:
        print(self.native.job, self.native.amount, LONGEST, file=self.process.stdin, flush=True)
        done, took, *mark = self.process.stdout.readline().split()
        if " ".join(mark) != self.native.mark:
            raise RuntimeError(f"{self.name}: expected {self.native.mark} but got {' '.join(mark)}")
        return {UNITS[self.native.job]: int(done) / float(took)}

    def end(self) -> None:
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()


def main() -> None:
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME", default=[card.id for card in cards()])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    asked = parser.parse_args()
    console = Console(width=120)
    with tempfile.TemporaryDirectory() as folder:
        for id in asked.games:
            compare(id, Path(folder), asked.rounds, asked.seconds, console)


def compare(id: str, folder: Path, rounds: int, seconds: float, console: Console) -> None:
    jobs = Jobs(id)
    known = [job for job in UNITS if jobs.game.card.open or job not in OPEN_ONLY]
    there = [InNode(Native(jobs, job, seconds), folder) for job in known]
    rows = [Row(each.native.job, UNITS[each.native.job], each, each.native, part=id) for each in there]
    try:
        for table in tables(run(rows, rounds, lambda told: print(told, file=sys.stderr))):
            console.print(table)
    finally:
        for each in there:
            each.end()


if __name__ == "__main__":
    main()
