"""Connect Four in pgx as an environment: `pgx_steps.py CORES SECONDS` prints one line of JSON; CORES 0 = all there are.

A batch of 4,096 in all, one JAX device a core; every step chooses a legal column at random, plays it, begins finished
games again and has observations and masks of all. Two ways, and the quicker one counts: many steps in one compiled
call, where of the observations only a sum is kept so that XLA neither drops nor stores them; and one call a step, which
gives observations and masks to whoever called, as an agent outside needs them.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

CORES = int(sys.argv[1]) or os.cpu_count() or 1
os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={CORES}"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import pgx  # noqa: E402

jax.config.update("jax_default_prng_impl", "unsafe_rbg")
ENV = pgx.make("connect_four")
BATCH = 4096 // CORES  # a core
STEPS = 64  # a call


def choose(mask: Any, key: Any) -> Any:
    """Any legal column: the k-th set bit of each mask."""
    k = jnp.floor(jax.random.uniform(key, mask.shape[:1]) * mask.sum(-1)).astype(jnp.int32) + 1
    return jnp.argmax(jnp.cumsum(mask, -1) >= k[:, None], -1)


def step(states: Any, fresh: Any, key: Any) -> Any:
    states = jax.vmap(ENV.step)(states, choose(states.legal_action_mask, key))
    over = states.terminated
    return jax.tree.map(lambda x, y: jnp.where(over.reshape(-1, *[1] * (x.ndim - 1)), y, x), states, fresh)


def many(states: Any, key: Any) -> Any:
    fresh = jax.tree.map(lambda x: x[None], ENV.init(key))

    def one(carry: tuple[Any, Any], key: Any) -> tuple[tuple[Any, Any], None]:
        states, seen = carry
        states = step(states, fresh, key)
        return (states, seen + states.observation.sum(dtype=jnp.int32)), None

    return jax.lax.scan(one, (states, jnp.int32(0)), jax.random.split(key, STEPS))[0]


def single(states: Any, key: Any) -> Any:
    fresh = jax.tree.map(lambda x: x[None], ENV.init(key))
    return step(states, fresh, key), jnp.int32(0)


def rate(play: Callable[[Any, Any], Any], steps: int, seconds: float) -> float:
    keys = jax.random.split(jax.random.PRNGKey(0), CORES * BATCH)
    states = jax.pmap(jax.vmap(ENV.init))(keys.reshape(CORES, BATCH, -1))
    run = jax.pmap(play, donate_argnums=0)
    keys = jax.random.split(jax.random.PRNGKey(1), CORES)
    states, _ = jax.block_until_ready(run(states, keys))  # compiles
    calls, begin, clock = 0, time.process_time(), time.perf_counter()
    while time.perf_counter() - clock < seconds:
        keys = keys + 1
        states, _ = jax.block_until_ready(run(states, keys))
        calls += 1
    spent = time.process_time() - begin if CORES == 1 else time.perf_counter() - clock
    return CORES * BATCH * steps * calls / spent


seconds = float(sys.argv[2])
best = max(rate(many, STEPS, seconds), rate(single, 1, seconds))
print(json.dumps({"steps/s" if CORES == 1 else "steps/s (clock)": best}))
