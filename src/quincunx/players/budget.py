"""How long a player may think: by time, nodes, depth or simulations."""

from __future__ import annotations

from dataclasses import dataclass

WITHOUT_END = 1 << 62


@dataclass(frozen=True)
class Budget:
    time: float | None = None  # seconds
    nodes: int | None = None
    depth: int | None = None
    simulations: int | None = None

    @property
    def most_nodes(self) -> int:
        return WITHOUT_END if self.nodes is None else self.nodes

    @property
    def most_simulations(self) -> int:
        return WITHOUT_END if self.simulations is None else self.simulations
