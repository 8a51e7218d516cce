"""`render` of every environment: the board as one seat sees it, as text, as a picture, or printed."""

from __future__ import annotations

from typing import Any

from quincunx.core.words import Words, expected
from quincunx.envs.episode import Episode
from quincunx.envs.picture import ansi, image

MODES = ("human", "ansi", "rgb_array")


def accepted(mode: str | None) -> str | None:
    if mode is not None and mode not in MODES:
        raise expected(Words("un rendu parmi {}", "one of the render modes {}").format(", ".join(MODES)), mode)
    return mode


def rendered(episode: Episode, mode: str | None, seat: int) -> Any:
    """Text, an array, or None after it was printed. Whoever watches sees no more than the seat does."""
    if mode is None:
        return None
    board = episode.game.board(episode.game.view(episode.world, seat))
    if mode == "rgb_array":
        return image(board)
    text = ansi(board)
    if mode == "ansi":
        return text
    print(text, flush=True)
    return None
