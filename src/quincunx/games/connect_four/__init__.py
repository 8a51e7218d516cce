"""Connect Four, the tutorial game: docs/adding-a-game.md walks through this folder."""

from quincunx.core.card import Card
from quincunx.core.words import Words

CARD = Card(
    id="connect_four",
    name=Words("Puissance 4", "Connect Four"),
    summary=Words("Alignez quatre jetons avant l’autre.", "Line up four discs before the other player does."),
    seats=(2, 2),
    version=1,
    seat_names=(Words("Jaune", "Yellow"), Words("Rouge", "Red")),
)
