"""Eight levels for every game, `level:1` to `level:8`: each a named configuration, no more.

What they are comes from the game: core/levels.py. The lower ones also overlook things (`mistakes`): see distracted.py.
"""

from __future__ import annotations

from quincunx.core.words import Words, expected
from quincunx.games import Game, levels

NAMES = (
    Words("Débutant", "Beginner"),
    Words("Apprenti", "Apprentice"),
    Words("Amateur", "Amateur"),
    Words("Habitué", "Regular"),
    Words("Confirmé", "Experienced"),
    Words("Expert", "Expert"),
    Words("Maître", "Master"),
    Words("Grand maître", "Grandmaster"),
)
MOST = len(NAMES)


def specs(game: str) -> tuple[str, ...]:
    """What each level of a game is made of."""
    return tuple(level.spec for level in levels(game))


def spec_of(text: str, game: Game) -> str:
    """The configuration that `level:7` stands for."""
    number = text.removeprefix("level:")
    if number not in {str(n) for n in range(1, MOST + 1)}:
        raise expected(Words("level:1 à level:{}", "level:1 to level:{}").format(MOST), text)
    return game.levels[int(number) - 1].spec


def label(number: int) -> Words:
    """What people call a level: `7 · Maître`."""
    return Words("{} · {}", "{} · {}").format(number, NAMES[number - 1])
