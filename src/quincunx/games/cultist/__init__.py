"""Cultist: two cults on 13 × 7 cells convert the neutrals and shoot each other."""

from quincunx.core.card import Card
from quincunx.core.words import Words

CARD = Card(
    id="cultist",
    name=Words("Cultist", "Cultist"),
    summary=Words(
        "Convertissez les neutres, abattez les cultistes de l’autre : le culte le plus nombreux l’emporte.",
        "Convert the neutrals, gun down the other’s cultists: the larger cult wins.",
    ),
    seats=(2, 2),
    version=1,
    seat_names=(Words("Ouest", "West"), Words("Est", "East")),
    dice=True,
    drawn=True,
)
