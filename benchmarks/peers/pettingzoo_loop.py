"""Connect Four in PettingZoo: `pettingzoo_loop.py moves SECONDS` prints one line of JSON.

Its usual loop in its quicker form: the raw environment without wrappers, and no `last()`, which would look twice.
"""

import json
import random
import sys
import time
from typing import Any

from pettingzoo.classic import connect_four_v3


def play(env: Any) -> int:
    env.reset()
    moves = 0
    while True:
        agent = env.agent_selection
        if env.terminations[agent]:
            return moves
        legal = env.observe(agent)["action_mask"].nonzero()[0]
        env.step(legal[int(random.random() * len(legal))])
        moves += 1


env = connect_four_v3.raw_env()
play(env)  # warm
moves, begin = 0, time.process_time()
while time.process_time() - begin < float(sys.argv[2]):
    moves += play(env)
print(json.dumps({"moves/s": moves / (time.process_time() - begin)}))
