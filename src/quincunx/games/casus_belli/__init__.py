"""Casus Belli: teams of three under fog, orders given together, two to a hundred players."""

from quincunx.core.card import Card
from quincunx.core.words import Words

CARD = Card(
    id="casus_belli",
    name=Words("Casus Belli", "Casus Belli"),
    summary=Words(
        "Un voleur, un barbare et une elfe dans la pénombre : donnez vos ordres en secret, tous agissent ensemble.",
        "A thief, a barbarian and an elf in the gloom: order them in secret, and all act at once.",
    ),
    seats=(2, 100),
    version=1,
    fog=True,
    simultaneous=True,
    drawn=True,
)
