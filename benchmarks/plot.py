"""Plots as SVG, without a library: curves side by side, each with axes of its own.

title
note
curve          curve         y from 0, in a round number of steps
| * *  *       |   *         x in equal ratios (10, 20, 40), one label a point where there is room
+--------      +--------
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, log, log10

PANEL, HEIGHT, TOP, LEFT, BOTTOM, GAP = 330, 210, 118, 66, 64, 22
INK, FAINT, LINE, CURVE, PAPER = "#222222", "#5c5c5c", "#e2e2e2", "#1f5fa8", "#ffffff"
CHARACTER = 7  # its width, about


@dataclass(frozen=True)
class Curve:
    """What one panel shows."""

    name: str
    x_label: str
    y_label: str
    points: Sequence[tuple[float, float]]  # x > 0, rising
    note: str = ""


def round_top(largest: float) -> tuple[float, int]:
    """The end of an axis that holds `largest`, and its number of steps, each 1, 2 or 5 times a power of ten."""
    raw = largest * 1.08 / 4
    power = 10.0 ** ceil(log10(raw) - 1)
    step = next(size * power for size in (1, 2, 5, 10) if size * power >= raw * 0.999)
    steps = ceil(largest * 1.1 / step)  # with room for a figure above the highest point
    return step * steps, steps


def draw(title: str, note: str, curves: Sequence[Curve]) -> str:
    width = GAP + len(curves) * (PANEL + GAP)
    height = TOP + HEIGHT + BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="Helvetica, Arial, sans-serif" font-size="12" fill="{INK}">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
        _text(GAP, 30, title, size=18, weight="bold"),
        _text(GAP, 51, note, colour=FAINT),
    ]
    for k, curve in enumerate(curves):
        parts += _panel(curve, GAP + k * (PANEL + GAP))
    return "\n".join([*parts, "</svg>", ""])


def _panel(curve: Curve, left: int) -> list[str]:
    x0, x1, bottom = left + LEFT, left + PANEL - 8, TOP + HEIGHT
    top, steps = round_top(max(y for _, y in curve.points))
    first, last = curve.points[0][0], curve.points[-1][0]
    places = [
        (x0 + 14 + (x1 - x0 - 28) * log(x / first) / log(last / first), bottom - HEIGHT * y / top)
        for x, y in curve.points
    ]
    parts = [
        _text(x0, TOP - 34, curve.name, size=13, weight="bold"),
        _text(x0, TOP - 16, curve.note, colour=FAINT),
        _text(left + 12, TOP + HEIGHT / 2, curve.y_label, anchor="middle", turned=True),
        _text((x0 + x1) / 2, bottom + 44, curve.x_label, anchor="middle"),
    ]
    for k in range(steps + 1):
        y = bottom - HEIGHT * k / steps
        parts.append(f'<path d="M{x0} {y:.1f}H{x1}" stroke="{LINE if k else INK}"/>')
        parts.append(_text(x0 - 7, y + 4, f"{top * k / steps:g}", anchor="end"))
    free = 0.0
    for (x, _), (place, _) in zip(curve.points, places, strict=True):
        label = f"{x:g}"
        parts.append(f'<path d="M{place:.1f} {bottom}v5" stroke="{INK}"/>')
        if place - CHARACTER * len(label) / 2 >= free:
            parts.append(_text(place, bottom + 20, label, anchor="middle"))
            free = place + CHARACTER * len(label) / 2 + 4
    way = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    parts.append(f'<polyline points="{way}" fill="none" stroke="{CURVE}" stroke-width="2"/>')
    for (x, y), (across, down) in zip(curve.points, places, strict=True):
        dot = f'<circle cx="{across:.1f}" cy="{down:.1f}" r="4" fill="{CURVE}">'
        parts.append(f"{dot}<title>{escape(f'{x:g}: {y:.3g} {curve.y_label}')}</title></circle>")
        if x in (first, last):
            parts.append(_text(across, down - 10, f"{y:.3g}", anchor="middle", colour=CURVE))
    return parts


def _text(
    x: float, y: float, words: str, *,
    size: int = 12, weight: str = "normal", colour: str = INK, anchor: str = "start", turned: bool = False,
) -> str:  # fmt: skip
    turn = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if turned else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-weight="{weight}" fill="{colour}" '
        f'text-anchor="{anchor}"{turn}>{escape(words)}</text>'
    )
