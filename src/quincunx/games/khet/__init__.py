"""Khet: lasers and mirrors on 10 × 8 squares."""

from quincunx.core.card import Card
from quincunx.core.words import Words

CARD = Card(
    id="khet",
    name=Words("Khet", "Khet"),
    summary=Words(
        "Déplacez ou tournez une pièce, puis tirez : votre laser doit éclairer le pharaon adverse.",
        "Move or turn a piece, then fire: your laser must light the other pharaoh.",
    ),
    seats=(2, 2),
    version=1,
    seat_names=(Words("Gris", "Silver"), Words("Rouge", "Red")),
)
