"""Connect Four in OpenSpiel: `openspiel.py rollouts|steps|mcts SECONDS` prints one line of JSON.

rollouts   whole random games inside C++: its wheel offers no direct call, but the C++ search bot with one simulation
           lets its C++ evaluator play any number of rollouts from the root. (The other way, `evaluate_bots` with
           two C++ random bots, reaches two thirds of it, and `random_sim_test` checks as it plays.)
steps      the Python interface, move by move
mcts       the C++ bot with one C++ rollout a simulation, from the empty board
"""

import json
import random
import sys
import time
from collections.abc import Callable
from typing import Any

import pyspiel

GAME = pyspiel.load_game("connect_four")
ROLLOUTS, SIMULATIONS = 10_000, 10_000  # a call

Play = Callable[[], dict[str, int]]  # what was done in one call


def search(evaluator: Any, simulations: int) -> Any:
    return pyspiel.MCTSBot(GAME, evaluator, 2.0, simulations, 1000, False, 1, False)


def rollouts() -> Play:
    bot = search(pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1), 1)
    start = GAME.new_initial_state()

    def play() -> dict[str, int]:
        bot.mcts_search(start)
        return {"games/s": ROLLOUTS}

    return play


def steps() -> Play:
    def play() -> dict[str, int]:
        state, moves = GAME.new_initial_state(), 0
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(random.random() * len(actions))])
            moves += 1
        return {"moves/s": moves}

    return play


def mcts() -> Play:
    bot = search(pyspiel.RandomRolloutEvaluator(1, 1), SIMULATIONS)
    start = GAME.new_initial_state()

    def play() -> dict[str, int]:
        return {"simulations/s": bot.mcts_search(start).explore_count}

    return play


def rate(play: Play, seconds: float) -> dict[str, float]:
    play()  # warm
    done: dict[str, int] = {}
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        for unit, n in play().items():
            done[unit] = done.get(unit, 0) + n
    spent = time.process_time() - begin
    return {unit: n / spent for unit, n in done.items()}


print(json.dumps(rate({"rollouts": rollouts, "steps": steps, "mcts": mcts}[sys.argv[1]](), float(sys.argv[2]))))
