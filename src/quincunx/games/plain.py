"""What a gear holds in rows, as plain structures to read."""

from __future__ import annotations

from typing import Any, TypeVar, cast

from quincunx.core import layout
from quincunx.core.engine import Gear
from quincunx.core.memory import Memory
from quincunx.core.structure import Structure
from quincunx.games.world import Observation, World

R = TypeVar("R", bound=Structure)

MOST_READ = 2**20  # bytes of structures whose plain twins are kept, for those who only look
MOST_AGREED = 2048  # and so many terms at most, as many as a server has matches; of large ones fewer
SMALL = 1024  # bytes of a state that is unpacked at once


class Plain:
    """Of one game in one gear."""

    rules: Any
    gear: Gear
    memory: Memory

    def _begin_reading(self) -> None:
        self._read: dict[tuple[type[Structure], bytes], Any] = {}  # plain twins of structures that were looked at last
        self._most_read = max(4, min(512, MOST_READ // layout.size(self.rules.View)))
        self._most_agreed = max(64, min(MOST_AGREED, MOST_READ // layout.size(self.rules.Terms)))
        self._agreed: dict[int, tuple[Any, Any]] = {}  # rows of terms that were looked at, and their plain twins

    def rows(self, plain: R) -> list[R]:
        """One plain structure as an array of one row, or as a list of one copy."""
        return self.memory.row(plain)

    def plain(self, kind: type[R], rows: list[R]) -> R:
        """One row as a plain structure of that kind."""
        return self.memory.plain(kind, rows)

    def _terms(self, world: World | Observation) -> Any:
        """They never change: whoever shares them is given the same structure."""
        if not self.gear.compiled:
            return world.terms[0]
        kept = self._agreed.get(id(world.terms))
        if kept is None or kept[0] is not world.terms:
            if len(self._agreed) >= self._most_agreed:
                self._agreed.pop(next(iter(self._agreed)))
            kept = self._agreed[id(world.terms)] = world.terms, self.plain(self.rules.Terms, world.terms)
        return kept[1]

    def _glance(self, world: World) -> Any:
        """The state for a text, which needs little of it, or nothing."""
        return self.memory.glance(self.rules.State, world.rows)

    def _state(self, world: World) -> Any:
        """A large one is unpacked as far as somebody reads it."""
        if layout.size(self.rules.State) > SMALL:
            return self._glance(world)
        return self._look(self.rules.State, world.rows)

    def _plain_view(self, observation: Observation) -> Any:
        return self._look(self.rules.View, observation.rows)

    def _look(self, kind: type[R], rows: list[R]) -> R:
        """As `plain`, for those who change nothing: one who looks again at the same bytes gets the same structure."""
        if not self.gear.compiled:
            return rows[0]
        key = kind, self.memory.to_bytes(rows)
        found = self._read.get(key)
        if found is None:
            if len(self._read) >= self._most_read:
                del self._read[next(iter(self._read))]
            found = self._read[key] = self.plain(kind, rows)
        return cast(R, found)
