"""What the server counts, at /metrics in Prometheus' text format. Numbers only: no match, no name, no address.

Yet whoever plays under fog could count what the other side does out of sight. So they are told to this computer only,
or, where QUINCUNX_METRICS_TOKEN is set, to whoever sends that token (`Authorization: Bearer …`).

Where a server has several processes, whichever is asked asks the others: each number is told of each process, with its
place among them as a label.
"""

from __future__ import annotations

import hmac
import os
from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import Any

from litestar import Request, Response, get
from litestar.datastructures import State

from quincunx.core.words import Refused, Words
from quincunx.server.limits import is_here
from quincunx.server.siblings import Measured, Siblings, Wanted, Word

CLOSED = Words("Les mesures sont réservées à cet ordinateur.", "The metrics are for this computer only.")
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
MOST_LABELS = 100  # refusal codes are words of ours, but a list must have an end


class Counter:
    """Only ever grows; with a label, one number for each of its values."""

    kind = "counter"

    def __init__(self, name: str, about: str, label: str = "") -> None:
        self.name, self.about, self._label = name, about, label
        self._counts: dict[str, int] = {} if label else {"": 0}

    def count(self, value: str = "", n: int = 1) -> None:
        if value in self._counts or len(self._counts) < MOST_LABELS:
            self._counts[value] = self._counts.get(value, 0) + n

    def lines(self) -> Iterator[str]:
        for value, count in self._counts.items():
            yield f'{self.name}{{{self._label}="{value}"}} {count}' if self._label else f"{self.name} {count}"


class Gauge:
    """How it stands now; asked when somebody looks."""

    kind = "gauge"

    def __init__(self, name: str, about: str, label: str = "") -> None:
        self.name, self.about, self._label = name, about, label
        self.ask: Callable[[], float | dict[str, float]] = lambda: 0

    def lines(self) -> Iterator[str]:
        now = self.ask()
        if isinstance(now, dict):
            yield from (f'{self.name}{{{self._label}="{key}"}} {value:g}' for key, value in now.items())
        else:
            yield f"{self.name} {now:g}"


class Histogram:
    """How long things took."""

    kind = "histogram"

    def __init__(self, name: str, about: str) -> None:
        self.name, self.about = name, about
        self._counts = [0] * (len(SECONDS) + 1)
        self._sum = 0.0

    def observe(self, seconds: float) -> None:
        self._counts[bisect_left(SECONDS, seconds)] += 1
        self._sum += seconds

    @property
    def total(self) -> int:
        return sum(self._counts)

    def lines(self) -> Iterator[str]:
        below = 0
        for edge, count in zip((*SECONDS, "+Inf"), self._counts, strict=True):
            below += count
            yield f'{self.name}_bucket{{le="{edge}"}} {below}'
        yield f"{self.name}_sum {self._sum:.6f}"
        yield f"{self.name}_count {below}"


class Metrics:
    """All of them."""

    def __init__(self) -> None:
        self.acknowledgement_seconds = Histogram(
            "quincunx_acknowledgement_seconds", "From reading a move to its acknowledgement; its count is the moves."
        )
        self.commit_seconds = Histogram("quincunx_commit_seconds", "From handing entries to the store to their commit.")
        self.refusals = Counter("quincunx_refusals_total", "Words that were refused, by code.", "code")
        self.turned_away = Counter("quincunx_turned_away_total", "Clients over their limits, by what they did.", "what")
        self.slow_clients = Counter("quincunx_slow_clients_total", "Clients let go because they did not read.")
        self.computer_moves = Counter("quincunx_computer_moves_total", "Actions of computer players.")
        self.sockets = Gauge("quincunx_sockets", "Open sockets.")
        self.matches = Gauge("quincunx_live_matches", "Matches in memory.")
        self.thoughts = Gauge("quincunx_thoughts", "Computer players' thoughts.", "state")
        self.memory = Gauge("quincunx_memory_bytes", "Memory of this process, without those that it started.")
        self.memory.ask = memory
        self.compiled = Gauge("quincunx_compiled", "Games: 0 waits to be compiled, 0.5 is being, 1 is ready.", "game")

    def text(self) -> str:
        lines: list[str] = []
        for metric in vars(self).values():
            lines += [f"# HELP {metric.name} {metric.about}", f"# TYPE {metric.name} {metric.kind}", *metric.lines()]
        return "\n".join(lines) + "\n"


def memory() -> float:
    """Bytes that are in memory now; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", "rb") as told:
            return float(int(told.read().split()[1]) * os.sysconf("SC_PAGE_SIZE"))
    except (OSError, ValueError):
        return 0.0


METRICS = Metrics()


def _may_read(request: Request[Any, Any, Any]) -> bool:
    token = os.environ.get("QUINCUNX_METRICS_TOKEN")
    if token:
        return hmac.compare_digest(request.headers.get("authorization", "").encode(), f"Bearer {token}".encode())
    return is_here(request)


@get("/metrics", include_in_schema=False)
async def metrics(request: Request[Any, Any, Any], state: State) -> Response[str]:
    if not _may_read(request):
        raise Refused("not_here", CLOSED)
    siblings: Siblings = state.siblings
    text = METRICS.text()
    if siblings.place.folder is not None:
        text = together({**await siblings.ask_metrics(), siblings.place.number: text})
    return Response(text, media_type="text/plain; version=0.0.4")


def answer_siblings(siblings: Siblings) -> None:
    """From now on the others are told, when they ask."""

    def hear(word: Word) -> None:
        if isinstance(word, Wanted):
            siblings.answer(word.process, Measured(word.id, siblings.place.number, METRICS.text()))

    siblings.listen(hear)


def together(texts: dict[int, str]) -> str:
    """What the processes tell, by metric."""
    lines: dict[str, list[str]] = {}  # of each metric, by what is said about it
    for number, text in sorted(texts.items()):
        for part in text.split("# HELP ")[1:]:
            about, kind, *samples = part.splitlines()
            told = lines.setdefault(f"# HELP {about}\n{kind}", [])
            told += [_labelled(sample, number) for sample in samples]
    return "".join("\n".join([about, *samples]) + "\n" for about, samples in lines.items())


def _labelled(sample: str, number: int) -> str:
    name, _, value = sample.rpartition(" ")
    own, _, labels = name.partition("{")
    return f'{own}{{process="{number}"{"," + labels if labels else "}"} {value}'
