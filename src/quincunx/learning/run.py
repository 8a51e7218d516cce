"""A training from beginning to end, in a folder: it goes on from wherever it was ended, killed or not.

FOLDER/training.json                 the log: plan.py
       round-1/positions-00000.npz   self-play: selfplay.py
       weights-1.npz                 the net while it learns, with all that Adam remembers, after every epoch
       net-1.npz                     the net of a round, as it is played: players/nets.py
       net.npz                       the last one
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import fields
from functools import cache
from math import cos, pi
from pathlib import Path
from shutil import copyfile
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quincunx.core.net import FINE_BITS, HAND_BITS, LARGEST, ONE_BITS
from quincunx.games import Game, load
from quincunx.learning.lessons import prepare
from quincunx.learning.plan import Epoch, Log, Round
from quincunx.learning.selfplay import MATCHES, Portion, play_portion, read, save
from quincunx.learning.training import BATCH, Adam, Lesson, Weights, fresh, gradient, largest_row, loss_of
from quincunx.players import Player, make, nets

APART = 100_000  # portions between the first of two rounds
LOOK = 20_000  # positions of those learned from on which the loss is told
Tell = Callable[[str, int, int], None]  # what goes on, how far, of how much


def player_of(log: Log, round: int, folder: Path) -> str:
    """Who plays in a round: the search of the game's best level; from the second on, with the net of the one before."""
    search = nets.search_of(load(log.plan.game, "interpreted"))
    budget = f"nodes={log.plan.thought},table=1" if search == "alphabeta" else f"simulations={log.plan.thought}"
    return f"{search}:{budget}" if round == 1 else f"net:{folder / f'net-{round - 1}.npz'},{budget}"


def train(log: Log, folder: Path, jobs: Executor, at_once: int, tell: Tell) -> None:
    game = load(log.plan.game, "compiled")
    folder.mkdir(parents=True, exist_ok=True)
    log.save(folder)
    files: list[Path] = []
    for round in range(1, log.plan.rounds + 1):
        files += gather(log, round, folder, jobs, at_once, tell)
        if not (folder / f"net-{round}.npz").exists():
            learn(log, round, folder, game, files, tell)
    copyfile(folder / f"net-{log.plan.rounds}.npz", folder / "net.npz")


# -- self-play -------------------------------------------------------------------------------------------------------


def gather(log: Log, round: int, folder: Path, jobs: Executor, at_once: int, tell: Tell) -> list[Path]:
    """Portions until there are positions enough, some at once; in the end just as many, however many were at once."""
    spec, here, most = player_of(log, round, folder), folder / f"round-{round}", log.plan.positions
    first = (log.plan.seed * log.plan.rounds + round - 1) * APART
    files, found = list[Path](), 0
    while found < most:
        wanted = {here / f"positions-{len(files) + k:05}.npz": first + len(files) + k for k in range(at_once)}
        missing = {file: number for file, number in wanted.items() if not file.exists()}
        for file, portion in zip(missing, jobs.map(portion_of, *_asked(log, spec, missing)), strict=True):
            save(portion, file)
        for file in wanted:
            if found < most:
                found += len(read(file).seat)
                files.append(file)
        tell("play", min(found, most), most)
    return files


def _asked(log: Log, spec: str, missing: dict[Path, int]) -> Iterator[list[Any]]:
    for each in (log.plan.game, spec, log.plan.stray):
        yield [each] * len(missing)
    yield list(missing.values())


def portion_of(game: str, spec: str, stray: int, number: int) -> Portion:
    return play_portion(load(game, "compiled"), _player(game, spec), number, stray)


@cache
def _player(game: str, spec: str) -> Player:
    return make(spec, load(game, "compiled"))


# -- learning --------------------------------------------------------------------------------------------------------


def learn(log: Log, round: int, folder: Path, game: Game, files: list[Path], tell: Tell) -> None:
    plan = log.plan
    shares = nets.search_of(game) == "mcts"
    lesson, unseen, scale = prepare(game, files, plan.trust, shares)
    if not any(each.number == round for each in log.rounds):
        by_hand = float(((1 / (1 + np.exp(-unseen.hands)) - unseen.target) ** 2).mean())
        log.rounds.append(Round(round, MATCHES * len(files), len(lesson) + len(unseen), by_hand, scale))
    kept = folder / f"weights-{round}.npz"
    weights, adam, done = begun(kept, game, plan.by_hand, plan.seed)
    log.epochs = [each for each in log.epochs if each.round < round or each.number <= done]
    for number in range(done + 1, plan.epochs + 1):
        began = perf_counter()
        adam.rate = plan.rate * (0.505 + 0.495 * cos(pi * (number - 1) / plan.epochs))
        for some in batches(lesson, plan.seed + 1000 * round + number):
            adam.step(weights, gradient(weights, some), largest_row(game.net_inputs.MOST), plan.decay)
        seen, learned = loss_of(weights, unseen), loss_of(weights, lesson.part(slice(0, LOOK)))
        log.epochs.append(Epoch(round, number, learned, seen, round_to(perf_counter() - began)))
        log.save(folder)  # first: an epoch that the log has and the weights have not is learned again
        keep(kept, weights, adam, number)
        tell("learn", number, plan.epochs)
    nets.write(folder / f"net-{round}.npz", game, whole(weights, scale, game.net_inputs.MOST), plan.habits)


def round_to(seconds: float) -> float:
    return float(f"{seconds:.1f}")


def batches(lesson: Lesson, seed: int) -> Iterator[Lesson]:
    order = np.random.default_rng(seed).permutation(len(lesson))
    for k in range(0, max(1, len(order) - BATCH + 1), BATCH):
        yield lesson.part(np.sort(order[k : k + BATCH]))


def keep(file: Path, weights: Weights, adam: Adam, epoch: int) -> None:
    arrays = {each.name: getattr(weights, each.name) for each in fields(Weights)}
    arrays |= {f"mean_{name}": array for name, array in adam.means.items()}
    arrays |= {f"square_{name}": array for name, array in adam.squares.items()}
    written = file.with_suffix(".new.npz")
    np.savez(written, epoch=epoch, steps=adam.steps, **arrays)
    written.replace(file)


def begun(file: Path, game: Game, by_hand: bool, seed: int) -> tuple[Weights, Adam, int]:
    """The net as it was kept, or a fresh one; how Adam got there; and the epochs that are done."""
    if not file.exists():
        return fresh(game.net_inputs.INPUTS, by_hand, seed), Adam(0.0), 0
    with np.load(file, allow_pickle=False) as found:
        names = [each.name for each in fields(Weights)]
        means, squares = ({name: found[f"{kind}_{name}"] for name in names} for kind in ("mean", "square"))
        weights = Weights(**{name: found[name] for name in names})
        return weights, Adam(0.0, int(found["steps"]), means, squares), int(found["epoch"])


def whole(net: Weights, scale: float, most: int) -> dict[str, NDArray[np.signedinteger[Any]]]:
    """The net in whole numbers, as its file has them."""
    fine, largest = scale * (1 << FINE_BITS), LARGEST // (most + 1)
    return {
        "rows": np.clip(np.rint(net.rows[:-1] * (1 << ONE_BITS)), -largest, largest).astype(np.int16),
        "first": np.clip(np.rint(net.first * (1 << ONE_BITS)), -largest, largest).astype(np.int16),
        "straight": np.rint(net.straight[:-1] * fine).astype(np.int32),
        "last": np.rint(net.last * fine).astype(np.int32),
        "ends": np.rint(net.ends * [1 << HAND_BITS, fine]).astype(np.int32),
    }
