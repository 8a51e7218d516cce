"""What the observers of a match see as it stands now, worked out once until it changes; and the stories of its actions.

Nothing here looks at the state but through `Game.view`, and nothing but this reaches the feeds (feeds.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from quincunx.core.contract import PUBLIC
from quincunx.games import World
from quincunx.match import Match
from quincunx.match.wire import write

Story = tuple[msgspec.Raw, ...]  # events, as they go over the wire


class Views:
    def __init__(self, match: Match) -> None:
        self.match = match
        self.changes = 0  # of the match: who looked since then need not look again
        self._shown: dict[int, tuple[Any, bytes]] = {}  # to each observer since the last change, also as bytes
        self._boards: dict[int, msgspec.Raw] = {}

    def forget(self) -> None:
        """The match went on."""
        self.changes += 1
        self._shown.clear()
        self._boards.clear()

    def shown(self, observer: int) -> bytes:
        """What an observer is shown now, as it goes over the wire."""
        whose, game = self.alike(observer), self.match.game
        if whose not in self._shown:
            shown = game.show(game.view(self.match.world, whose))
            self._shown[whose] = shown, write(shown)
        return self._shown[whose][1]

    def fields(self, observer: int) -> dict[str, Any]:
        """The same, one by one."""
        self.shown(observer)
        return msgspec.structs.asdict(self._shown[self.alike(observer)][0])

    def board(self, observer: int) -> msgspec.Raw:
        """The board that any client can draw, as it goes over the wire."""
        whose, game = self.alike(observer), self.match.game
        if whose not in self._boards:
            self._boards[whose] = msgspec.Raw(write(game.board(game.view(self.match.world, whose))))
        return self._boards[whose]

    def alike(self, observer: int) -> int:
        """Whose view is the same: where nobody sees anything else than the others, the public's."""
        return PUBLIC if self.match.game.alike else observer

    def story(self, world: World, seat: int, action: int, observer: int, number: int) -> Story:
        """Plays an action in a world, and says what an observer is told of it."""
        events = self.match.game.apply_and_tell(world, seat, action, observer, number)
        return tuple([msgspec.Raw(write(event)) for event in events])

    def stories(self, observer: int, since: int) -> Iterator[tuple[int, Story]]:
        """Plays the match again, and tells an observer the actions from number `since` on."""
        world = self.match.world_at(since)
        for number, (seat, action) in enumerate(self.match.standing[since:], since):
            yield number, self.story(world, seat, action, observer, number)
