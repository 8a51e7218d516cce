"""Which of the processes of a server this is. Most servers have one, and that one is all of it."""

from __future__ import annotations

from pathlib import Path

import msgspec

CALM = 3.0


class Place(msgspec.Struct, frozen=True):
    number: int = 0
    count: int = 1
    folder: str | None = None  # where they meet: sockets, nobody else's to look into; None: it is alone

    @property
    def is_first(self) -> bool:
        """What one of them does for all, this one does."""
        return self.number == 0

    def share(self, whole: int) -> int:
        """Of what this computer has once; one at least."""
        return max(1, whole // self.count)

    @property
    def calm(self) -> float:
        """Seconds after which it starts what it does not need yet: of several processes, one may end soon."""
        return 0.0 if self.folder is None else CALM

    @property
    def writer(self) -> str | None:
        """The socket of the process that writes, if the database is a file."""
        return None if self.folder is None else str(Path(self.folder, "writer"))


ALONE = Place()
