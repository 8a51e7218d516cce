"""Chartichaud: gold, three kinds of units and fog on a grid."""

from quincunx.core.card import Card
from quincunx.core.words import Words

CARD = Card(
    id="chartichaud",
    name=Words("Chartichaud", "Chartichaud"),
    summary=Words(
        "Récoltez l’or, bâtissez, recrutez et combattez dans le brouillard : le meilleur score gagne.",
        "Harvest gold, build, recruit and fight in the fog: the best score wins.",
    ),
    seats=(2, 2),
    version=1,
    seat_names=(Words("Camp A", "Side A"), Words("Camp B", "Side B")),
    fog=True,
    drawn=True,
)
