"""Garden Tensions: gardens made by hand. The half turn takes ground and resources to themselves, the sky to the candy
and the barbecue to the pool, so that neither side is favoured."""

from __future__ import annotations

from quincunx.core.options import Setup
from quincunx.core.words import Words

MAPS = (
    Setup(
        "crossroads",
        Words("Le carrefour", "The crossroads"),
        """
        # A sandy path crosses the garden, lawn at both ends, mud in the far corners
                gf1      gw2      sm1      ms2      ms1
            gs1      gm2      sky      sf1      mw2      mm1
        gf2=A    sw1      barbecue sm2      pool     sw1      gf2=B
            mm1      mw2      sf1      candy    gm2      gs1
                ms1      ms2      sm1      gw2      gf1
        """,
    ),
    Setup(
        "pond",
        Words("L’étang", "The pond"),
        """
        # A muddy pond in the middle, a beach beside it, lawn where the clans land
                gf2=A    gw1      gs1      pool     sf1
            gm1      gw2      mf1      ms2      sm2      sw1
        ss1      sky      mm1      mw2      mm1      candy    ss1
            sw1      sm2      ms2      mf1      gw2      gm1
                sf1      barbecue gs1      gw1      gf2=B
        """,
    ),
)
