"""Dice fall only where neutrals wander: alpha-beta sees further than simulation."""

from quincunx.core.levels import ALPHA_BETA

LEVELS = ALPHA_BETA
EFFORT = 20_000
