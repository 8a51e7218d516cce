"""The spaces of an encoding, as Gymnasium and PettingZoo describe them."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space

from quincunx.envs.encoding import Encoding


def observation_space(encoding: Encoding) -> Space[Any]:
    planes, scalars = _whole(encoding.shape, np.int8), _whole((len(encoding.scalars),), np.int32)
    mask = Box(0, 1, (encoding.actions,), np.int8)  # of the kind that Discrete.sample asks for
    return Dict({"observation": Dict({"planes": planes, "scalars": scalars}), "action_mask": mask})


def action_space(encoding: Encoding) -> Space[Any]:
    return Discrete(encoding.actions)


def _whole(shape: tuple[int, ...], kind: type[np.int8] | type[np.int32]) -> Space[Any]:
    """Any number of this kind: planes and scalars count things, and the game says how many there may be."""
    limits = np.iinfo(kind)
    return Box(limits.min, limits.max, shape, kind)
