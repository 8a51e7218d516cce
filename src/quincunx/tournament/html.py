"""Pieces of the HTML of a report: tables, bars, a plot of intervals, and how they look. It needs no other file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Protocol

WIDE, LEFT, ROW = 640, 190, 26  # of the plot: where it ends, where names end, the height of a line
STEPS = (50, 100, 200, 400, 800, 1600, 10**6)  # Elo between two lines


class Interval(Protocol):
    @property
    def elo(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], names: int, first: int = 1) -> str:
    """`names`: columns of words, from `first` on; all others are numbers."""
    words = range(first, first + names)
    head = "".join(f"<th{_kind(k, words)}>{escape(heading)}" for k, heading in enumerate(headings))
    body = "".join(
        "<tr>" + "".join(f"<td{_kind(k, words)}>{escape(cell)}" for k, cell in enumerate(row)) for row in rows
    )
    return f"<div class=scroll><table><tr>{head}{body}</table></div>"


def _kind(column: int, words: range) -> str:
    return "" if column in words else " class=count"


def bars(rows: Sequence[tuple[str, str, float]]) -> str:
    """A name, a figure, and a bar of that share."""
    shown = (
        f'<tr><td>{escape(name)}<td class=count>{escape(figure)}<td class=bar><i style="width:{100 * share:.1f}%"></i>'
        for name, figure, share in rows
    )
    return f"<div class=scroll><table class=bars>{''.join(shown)}</table></div>"


def heat(share: float) -> str:
    """From a warm colour (all lost) over none to a cool one (all won)."""
    colour = "var(--won)" if share > 0.5 else "var(--lost)"
    return f"color-mix(in srgb, {colour} {min(100, round(200 * abs(share - 0.5)))}%, transparent)"


def intervals(players: Mapping[str, Interval]) -> str:
    """A dot for each, and a line for its interval."""
    low, high = min(each.low for each in players.values()), max(each.high for each in players.values())
    scale = (WIDE - LEFT) / max(high - low, 1.0)
    end = ROW * len(players) + 4
    step = next(step for step in STEPS if (high - low) / step <= 8)
    marks = []
    for value in range(int(low // step) * step, int(high) + step, step):
        x = LEFT + (value - low) * scale
        if LEFT <= x <= WIDE:
            marks.append(f'<path class=grid d="M{x:.1f} 0V{end}"/>')
            marks.append(f"<text class=mark x={x:.1f} y={end + 14}>{_signed(value)}</text>")
    for k, (name, each) in enumerate(players.items()):
        y = ROW * k + ROW / 2
        a, b, dot = (LEFT + (value - low) * scale for value in (each.low, each.high, each.elo))
        marks.append(f"<text class=who x={LEFT - 12} y={y + 4:.1f}>{escape(_short(name))}</text>")
        marks.append(f'<path class=line d="M{a:.1f} {y}H{b:.1f}"/><circle cx={dot:.1f} cy={y} r=5 />')
    size = f'viewBox="0 0 {WIDE + 30} {end + 20}" width={WIDE + 30}'
    return f"<div class=scroll><svg {size} role=img>{''.join(marks)}</svg></div>"


def _signed(value: int) -> str:
    return f"{value:+d}".replace("-", "−") if value else "0"


def _short(name: str) -> str:
    return name if len(name) <= 26 else f"{name[:25]}…"


STYLE = """
:root { color-scheme: light dark; --won: #2f9e6e; --lost: #d9663d; --line: #8886; --accent: #4f6bed; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 980px; margin: 2rem auto; padding: 0 1rem; }
h1 { margin: 0; font-size: 2rem; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; }
.facts, .note { opacity: .75; } .note { font-size: .875rem; } .answer { font-weight: 600; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .7rem; border-bottom: 1px solid var(--line); text-align: left; }
th { font-weight: 600; font-size: .875rem; } .count { text-align: right; }
.scroll { overflow-x: auto; } .side { display: flex; flex-wrap: wrap; gap: 2rem; }
.cross td { text-align: center; min-width: 2.2rem; padding: .3rem; }
.cross .none { background: var(--line); opacity: .3; }
.cross .slanted { vertical-align: bottom; padding: .3rem; } .slanted span { writing-mode: vertical-rl; rotate: 180deg; }
.bars .bar { width: 50%; min-width: 12rem; }
.bar i { display: block; height: .8rem; background: var(--accent); border-radius: .2rem; }
svg { max-width: none; } svg text { font-size: 13px; fill: currentColor; } .who { text-anchor: end; }
.mark { text-anchor: middle; opacity: .6; font-size: 12px; }
.grid { stroke: var(--line); } .line { stroke: var(--accent); stroke-width: 3; }
circle { fill: var(--accent); } summary { cursor: pointer; } a { color: inherit; }
"""
PAGE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title><style>{style}</style></head>
<body>
{body}
</body></html>
"""
