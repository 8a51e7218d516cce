"""Charts as SVG, without a library: ratings by level, and how a match went."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import ceil

INK, FAINT, LINE, PAPER = "#222222", "#5c5c5c", "#e2e2e2", "#ffffff"
COLOURS = ("#1f5fa8", "#b3261e", "#2e7d32", "#8e5a00", "#6a3fa0", "#00707a")
DASHES = ("", "7 3", "2 3", "10 3 2 3", "5 2 1 2", "1 2")  # for those who cannot tell the colours apart
MARKS = {"mistake": ("#8e5a00", "?"), "blunder": ("#b3261e", "??")}

Points = Sequence[tuple[float, float]]


def ratings(title: str, labels: Sequence[str], games: Mapping[str, Points], unit: str = "Elo") -> str:
    """A line for each game: x is the number of the label, y the rating."""
    left, top, width, height = 64, 56, 620, 320
    values = [y for points in games.values() for _, y in points] or [0.0]
    low, high, step = _axis(min(0.0, *values) if len(values) > 1 else 0.0, max(values))
    last = max(1, len(labels) - 1)

    def place(x: float, y: float) -> tuple[float, float]:
        return left + width * x / last, top + height * (high - y) / (high - low)

    parts = [_text(left, 30, title, size=18, weight="bold"), _text(14, top - 12, unit)]
    for k in range(round((high - low) / step) + 1):
        y = low + k * step
        parts += [
            _path([place(0, y), place(last, y)], LINE),
            _text(left - 8, place(0, y)[1] + 4, f"{y:g}", anchor="end"),
        ]
    for n, label in enumerate(labels):
        parts.append(_text(place(n, low)[0], top + height + 20, label, anchor="middle"))
    for k, (name, points) in enumerate(games.items()):
        colour, dash = COLOURS[k % len(COLOURS)], DASHES[k % len(DASHES)]
        places = [place(x, y) for x, y in points]
        parts.append(_path(places, colour, 2, dash))
        parts += [
            _dot(at, colour, f"{name}: {labels[int(x)]}, {y:.0f}") for at, (x, y) in zip(places, points, strict=True)
        ]
        key = top + 16 + 20 * k
        parts.append(_path([(left + width + 24, key - 4), (left + width + 54, key - 4)], colour, 2, dash))
        parts.append(_text(left + width + 62, key, name))
    return _drawing(left + width + 200, top + height + 40, title, parts)


def course(
    title: str,
    seats: Sequence[str],
    lines: Sequence[Points],
    marks: Sequence[tuple[float, float, str, str]],
    length: int,
) -> str:
    """How a match went: the chance to win of each seat, from 0 to 1, over its actions; mistakes and blunders marked."""
    left, top, width, height = 52, 70 + 20 * ((len(seats) - 1) // 4), 760, 240

    def place(x: float, y: float) -> tuple[float, float]:
        return left + width * x / max(1, length), top + height * (1 - y)

    parts = [_text(left, 30, title, size=18, weight="bold")]
    for share in (0, 25, 50, 75, 100):
        start, end = place(0, share / 100), place(length, share / 100)
        parts += [
            _path([start, end], FAINT if share == 50 else LINE),
            _text(left - 8, start[1] + 4, f"{share} %", anchor="end"),
        ]
    step = next(size for size in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000) if length / size <= 16)
    parts += [_text(place(n, 0)[0], top + height + 18, str(n), anchor="middle") for n in range(0, length + 1, step)]
    for k, (name, points) in enumerate(zip(seats, lines, strict=True)):
        colour, dash = COLOURS[k % len(COLOURS)], DASHES[k % len(DASHES)]
        parts.append(_path([place(x, y) for x, y in points], colour, 2, dash))
        key = left + k % 4 * 190, 48 + 20 * (k // 4)
        parts += [_path([key, (key[0] + 26, key[1])], colour, 2, dash), _text(key[0] + 32, key[1] + 4, name)]
    for x, y, kind, told in marks:
        colour, sign = MARKS[kind]
        spot = place(x, y)
        parts += [_dot(spot, colour, told), _text(spot[0], spot[1] - 8, sign, colour=colour, anchor="middle")]
    return _drawing(left + width + 24, top + height + 34, title, parts)


def learning(title: str, curves: Mapping[str, Points], levels: Mapping[str, float]) -> str:
    """Losses over epochs, and as level lines what there was to be better than."""
    left, top, width, height = 72, 56, 560, 280
    values = [y for points in curves.values() for _, y in points] + list(levels.values()) or [1.0]
    last, high = max([x for points in curves.values() for x, _ in points] or [2.0]), 1.05 * max(values)

    def place(x: float, y: float) -> tuple[float, float]:
        return left + width * (x - 1) / max(1.0, last - 1), top + height * (1 - y / high)

    parts = [_text(left, 30, title, size=18, weight="bold")]
    for k in range(5):
        y = high * k / 4
        parts += [
            _path([place(1, y), place(last, y)], LINE),
            _text(left - 8, place(1, y)[1] + 4, f"{y:.4f}", anchor="end"),
        ]
    ends = [(1.0, "1"), (last, f"{last:.0f}")]
    parts += [_text(place(x, 0)[0], top + height + 20, label, anchor="middle") for x, label in ends]
    lines: dict[str, Points] = {name: [(1.0, y), (last, y)] for name, y in levels.items()}
    for k, (name, points) in enumerate({**curves, **lines}.items()):
        colour, dash, key = COLOURS[k % len(COLOURS)], DASHES[k % len(DASHES)], top + 16 + 20 * k
        parts.append(_path([place(x, y) for x, y in points], colour, 2, dash))
        parts.append(_path([(left + width + 24, key - 4), (left + width + 54, key - 4)], colour, 2, dash))
        parts.append(_text(left + width + 62, key, name))
    return _drawing(left + width + 200, top + height + 40, title, parts)


def _axis(low: float, high: float) -> tuple[float, float, float]:
    """Round ends that hold both, and a round step between."""
    span = max(high - low, 1.0)
    step = next(size for size in (10, 20, 50, 100, 200, 500, 1000, 2000, 10**9) if span / size <= 8)
    return -step * ceil(-low / step), step * max(1, ceil(high / step)), step


def _drawing(width: float, height: float, title: str, parts: Sequence[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="Helvetica, Arial, sans-serif" font-size="12" fill="{INK}" role="img">'
    )
    paper = f'<rect width="{width}" height="{height}" fill="{PAPER}"/>'
    return "\n".join([head, f"<title>{escape(title)}</title>", paper, *parts, "</svg>", ""])


def _path(places: Points, colour: str, thick: int = 1, dash: str = "") -> str:
    way = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="{thick}"{dashes}/>'


def _dot(place: tuple[float, float], colour: str, told: str) -> str:
    dot = f'<circle cx="{place[0]:.1f}" cy="{place[1]:.1f}" r="4" fill="{colour}">'
    return f"{dot}<title>{escape(told)}</title></circle>"


def _text(
    x: float, y: float, words: str, *, size: int = 12, weight: str = "normal", colour: str = INK, anchor: str = "start"
) -> str:
    look = f'font-size="{size}" font-weight="{weight}" fill="{colour}" text-anchor="{anchor}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {look}>{escape(words)}</text>'
