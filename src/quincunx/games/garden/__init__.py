"""Garden Tensions: four clans of tiny creatures, 29 hexes of lawn, and dice."""

from quincunx.core.card import Card
from quincunx.core.words import Words

CARD = Card(
    id="garden",
    name=Words("Garden Tensions", "Garden Tensions"),
    summary=Words(
        "Conquérez le jardin hexagone par hexagone : dés, ressources, pouvoirs du ciel et de la piscine.",
        "Conquer the garden hex by hex: dice, resources, and the powers of the sky and the pool.",
    ),
    seats=(2, 2),
    version=1,
    seat_names=(Words("Clan A", "Clan A"), Words("Clan B", "Clan B")),
    dice=True,
    drawn=True,
)
