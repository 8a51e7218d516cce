"""The names and values of the contest's interface (Prologin 2012), as a Python champion meets them.

Its values were plain integers under bare names in upper case. Here they are members of an `IntEnum`, which are integers
too, so that `erreur.OK`, `OK` and 4 mean the same; the lower case of the contest's description is read as well.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple


class position(NamedTuple):
    x: int
    y: int


class perso_info(NamedTuple):
    equipe: int
    classe: int
    vie: int
    direction: int


class perso_classe(IntEnum):
    PERSO_VOLEUR = 0
    PERSO_BARBARE = 1
    PERSO_ELFE = 2


class zone_type(IntEnum):
    ZONE_HERBE = 0
    ZONE_ROUTE = 1
    ZONE_FORET = 2
    ZONE_MARAIS = 3
    ZONE_MUR = 4
    ZONE_TOUR = 5
    ZONE_ERREUR = 6


class attaque_type(IntEnum):
    ATTAQUE_NORMALE = 0
    ATTAQUE_PALANTIR = 1
    ATTAQUE_TRAITRISE = 2
    ATTAQUE_BASTOOOON = 3
    ATTAQUE_FUS_RO_DAH = 4
    ATTAQUE_I_SEE = 5
    ATTAQUE_LOTO = 6


class orientation(IntEnum):
    ORIENTATION_NORD = 0
    ORIENTATION_EST = 1
    ORIENTATION_SUD = 2
    ORIENTATION_OUEST = 3


class erreur(IntEnum):
    POSITION_IMPOSSIBLE = 0
    PERSONNAGE_IMPOSSIBLE = 1
    CHEMIN_IMPOSSIBLE = 2
    ATTAQUE_INDISPONIBLE = 3
    OK = 4


ENUMS: tuple[type[IntEnum], ...] = (perso_classe, zone_type, attaque_type, orientation, erreur)

CONSTANTS = {
    "VOLEUR_VISION_PORTEE": 5,
    "VOLEUR_DEPLACEMENT": 10,
    "VOLEUR_VIE": 10,
    "VOLEUR_ATTAQUE": 5,
    "VOLEUR_PALANTIR_CD": 3,
    "VOLEUR_TRAITRISE_CD": 5,
    "BARBARE_VISION_PORTEE": 4,
    "BARBARE_DEPLACEMENT": 8,
    "BARBARE_VIE": 10,
    "BARBARE_ATTAQUE": 3,
    "BARBARE_BASTOOOON_CD": 3,
    "BARBARE_BASTOOOON_PORTEE": 3,
    "BARBARE_FUS_RO_DAH_CD": 5,
    "ELFE_VISION_PORTEE": 4,
    "ELFE_DEPLACEMENT": 6,
    "ELFE_VIE": 10,
    "ELFE_ATTAQUE": 2,
    "ELFE_LOTO_CD": 5,
    "ELFE_I_SEE_CD": 5,
}
OLDER = {name.removesuffix("_PORTEE"): CONSTANTS[name] for name in CONSTANTS if name.endswith("_VISION_PORTEE")}

VISION = (5, 4, 4)  # by class
MOVEMENT = (10, 8, 6)
KNIFE_REACH, PALANTIR_SIGHT, REVEAL_SIGHT = 1, 5, 4


def written(value: Any) -> str:
    """A value as the contest's `afficher_…` wrote it."""
    if isinstance(value, position):
        return f"{{ x={value.x}, y={value.y} }}"
    if isinstance(value, perso_info):
        of_class, facing = perso_classe(value.classe).name, orientation(value.direction).name
        return f"{{ equipe={value.equipe}, classe={of_class}, vie={value.vie}, direction={facing} }}"
    return str(value.name)


def names() -> dict[str, Any]:
    """Every type, value and constant; the calls are `answers.Answers`."""
    found: dict[str, Any] = {"position": position, "perso_info": perso_info, **CONSTANTS, **OLDER}
    for enum in ENUMS:
        found[enum.__name__] = enum
        for member in enum:
            found[member.name] = found[member.name.lower()] = member
    for of in (*ENUMS, position, perso_info):
        found[f"afficher_{of.__name__}"] = _shower(of)
    return found


def _shower(of: Any) -> Any:
    def show(value: Any) -> None:
        print(written(of(value) if issubclass(of, IntEnum) else of(*value)))

    return show
