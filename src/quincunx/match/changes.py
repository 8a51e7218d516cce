"""What changed between two updates of one observer: worked out on the server, put together again by a client.

    update  3   shown {…, sealed [false, false, …]}   to_act [0, 1, … 99]   seats […]        whole
    changed 4   shown {sealed: {"5": true}}           acted [5]                              what is said replaces
    changed 5                                                               seats {"7": …}

Where the update has a list, an object names places of it: `{"5": true}`. Time that runs is not told again: a client
counts it down itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

ABSENT = ("open", "awaited")  # seats of those who are still to come
SHARE = 4  # so few of the places of a list, one in four, are told by their numbers


def patch(old: Any, new: Any) -> Any:
    """The shorter way to say `new` to who has `old`."""
    if isinstance(old, tuple) and isinstance(new, tuple) and len(old) == len(new):
        places = {str(k): value for k, value in enumerate(new) if value != old[k]}
        if SHARE * len(places) <= len(new):
            return places
    return new


def patched(update: Mapping[str, Any], changed: Mapping[str, Any], passed: int = 0) -> dict[str, Any]:
    """The update that `changed` makes of the one before it, `passed` milliseconds later; both as read from JSON."""
    if any(seat["kind"] in ABSENT for seat in update["seats"]):
        passed = 0  # no clock runs before everybody has come
    left = [
        max(0, ms - passed) if ms is not None and seat in update["to_act"] else ms
        for seat, ms in enumerate(update["clocks"])
    ]
    waited = [seat for seat in update["to_act"] if seat not in changed.get("acted", ())]
    fresh = {**update, "clocks": left, "to_act": waited, "story": [], "recap": False, "retold": False, "type": "update"}
    for name, value in changed.items():
        if name == "shown":
            shown = {part: _put(update["shown"].get(part), said) for part, said in value.items()}
            fresh["shown"] = {**update["shown"], **shown}
        elif name not in ("acted", "type"):
            fresh[name] = _put(fresh.get(name), value)
    return fresh


def _put(old: Any, said: Any) -> Any:
    if not isinstance(old, Sequence) or isinstance(old, str) or not isinstance(said, Mapping):
        return said
    return [said.get(str(place), value) for place, value in enumerate(old)]
