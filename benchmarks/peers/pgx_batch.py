"""Connect Four in pgx at its best on a processor: `pgx_batch.py moves SECONDS` prints one line of JSON.

One JAX device a core (`pmap` over `vmap`, compiled), its fastest random generator, one draw a move, a finished game
begun again at once so that no step is wasted; of a few batch sizes, the one that is fastest here and now.
"""

import json
import os
import sys
import time
from typing import Any

CORES = os.cpu_count() or 1
os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={CORES}"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import pgx  # noqa: E402

jax.config.update("jax_default_prng_impl", "unsafe_rbg")
ENV = pgx.make("connect_four")
BATCHES = (512, 2048, 8192, 32768)  # a core
STEPS = 64  # a call


def choose(mask: Any, key: Any) -> Any:
    """Any legal column: the k-th set bit of each mask."""
    k = jnp.floor(jax.random.uniform(key, mask.shape[:1]) * mask.sum(-1)).astype(jnp.int32) + 1
    return jnp.argmax(jnp.cumsum(mask, -1) >= k[:, None], -1)


def play(states: Any, key: Any) -> Any:
    fresh = jax.tree.map(lambda x: x[None], ENV.init(key))

    def step(states: Any, key: Any) -> tuple[Any, None]:
        states = jax.vmap(ENV.step)(states, choose(states.legal_action_mask, key))
        over = states.terminated
        again = jax.tree.map(lambda x, y: jnp.where(over.reshape(-1, *[1] * (x.ndim - 1)), y, x), states, fresh)
        return again, None

    return jax.lax.scan(step, states, jax.random.split(key, STEPS))[0]


def rate(batch: int, seconds: float) -> float:
    keys = jax.random.split(jax.random.PRNGKey(0), CORES * batch)
    states = jax.pmap(jax.vmap(ENV.init))(keys.reshape(CORES, batch, -1))
    run = jax.pmap(play, donate_argnums=0)
    keys = jax.random.split(jax.random.PRNGKey(1), CORES)
    states = jax.block_until_ready(run(states, keys))  # compiles
    calls, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        keys = keys + 1
        states = jax.block_until_ready(run(states, keys))
        calls += 1
    return CORES * batch * STEPS * calls / (time.perf_counter() - begin)


seconds = float(sys.argv[2])
best = max(BATCHES, key=lambda batch: rate(batch, seconds / 4))
print(json.dumps({"moves/s (clock)": rate(best, seconds), "batch": best * CORES}))
