"""The contest's calls, answered from what the last update showed, and the orders that a champion gave so far.

An order is checked here, as the contest checked it, because a champion is told at once what became of it; one that
stands is kept in our notation until the champion has done with its phase.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any

from .contest import (
    CONSTANTS,
    KNIFE_REACH,
    MOVEMENT,
    PALANTIR_SIGHT,
    REVEAL_SIGHT,
    VISION,
    attaque_type,
    erreur,
    orientation,
    perso_classe,
    perso_info,
    position,
    zone_type,
)
from .ground import ZONES, Ground

ROLES = ("thief", "barbarian", "elf")
FACINGS = "NESW"
STEPS = {(0, -1): "N", (1, 0): "E", (0, 1): "S", (-1, 0): "W"}
ABILITIES = (
    (attaque_type.ATTAQUE_PALANTIR, attaque_type.ATTAQUE_TRAITRISE),
    (attaque_type.ATTAQUE_BASTOOOON, attaque_type.ATTAQUE_FUS_RO_DAH),
    (attaque_type.ATTAQUE_I_SEE, attaque_type.ATTAQUE_LOTO),
)
WORDS = ("attack", "palantir", "treachery", "bastoooon", "fus", "reveal", "loto")  # by attaque_type
UNAIMED = (attaque_type.ATTAQUE_TRAITRISE, attaque_type.ATTAQUE_FUS_RO_DAH)
NOWHERE = position(-1, -1)

CALLS = (
    "carte_taille", "carte_depart", "carte_zone_type", "carte_zone_perso", "distance", "chemin", "perso_deplace",
    "perso_penombre", "perso_vision", "perso_vision_personnages", "palantir_vision", "elfe_vision", "perso_attaque",
    "perso_attaque_recharge", "perso_position", "perso_classe_info", "mon_equipe", "scores", "nombre_equipes",
    "tour_actuel", "nombre_tours_placement", "nombre_tours",
)  # fmt: skip


def cell_of(name: str) -> position:
    x, _, y = name.partition(",")
    return position(int(x), int(y))


def truncating(call: Callable[..., Any]) -> Callable[..., Any]:
    """A fraction in what a call is given is dropped, as the Python of the contest did."""

    @wraps(call)
    def truncated(*given: Any) -> Any:
        return call(*map(_whole, given))

    return truncated


def _whole(value: Any) -> Any:
    return value if isinstance(value, int) else int(value) if isinstance(value, float) else tuple(map(_whole, value))


class Answers:
    """One match, seen from one seat."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.orders: dict[int, str] = {}  # of this phase, by class
        self.penumbra: list[list[position]] = [[], [], []]
        self.shown: dict[str, Any] = {}
        self.ground = Ground(["#"])

    def take(self, shown: dict[str, Any], story: Sequence[dict[str, Any]]) -> None:
        """What an update says."""
        if shown["rows"] != self.shown.get("rows"):
            self.ground = Ground(shown["rows"])
        self._note(shown, story)
        self.shown = shown
        self.standing: dict[position, list[perso_info]] = {}
        self.own: list[tuple[position, perso_info]] = [(NOWHERE, perso_info(-1, 0, -1, 0))] * 3
        for unit in shown["units"]:
            at, role = cell_of(unit["cell"]), perso_classe(ROLES.index(unit["role"]))
            info = perso_info(unit["team"], role, unit["health"], orientation(FACINGS.index(unit["facing"])))
            self.standing.setdefault(at, []).append(info)
            if info.equipe == self.seat:
                self.own[role] = at, info

    def _note(self, shown: dict[str, Any], story: Sequence[dict[str, Any]]) -> None:
        """The penumbra is of the last moves: as the view has it, otherwise as it was told when they were made."""
        if all("penumbra" in own for own in shown["own"]):
            self.penumbra = [list(map(cell_of, own["penumbra"])) for own in shown["own"]]
            return
        before, now = ([of.get("turn"), of.get("phase")] for of in (self.shown, shown))
        if before != now and before[1] in ("placement", "moves"):
            self.penumbra = [[], [], []]
            for event in story:
                if event.get("kind") == "penumbra":
                    self.penumbra[ROLES.index(event["role"])] = list(map(cell_of, event["cells"]))

    # -- the map -------------------------------------------------------------------------------------------------

    def carte_taille(self) -> position:
        return position(self.ground.width, self.ground.height)

    def carte_depart(self) -> position:
        return cell_of(self.shown["start"])

    def carte_zone_type(self, pos: Sequence[int]) -> zone_type:
        x, y = pos
        return ZONES[self.ground.letters[self.ground.at(x, y)]] if self.ground.has(x, y) else zone_type.ZONE_ERREUR

    def carte_zone_perso(self, pos: Sequence[int]) -> list[perso_info]:
        return list(self.standing.get(position(*pos), ()))

    def distance(self, p1: Sequence[int], p2: Sequence[int]) -> int:
        ground = self.ground
        if not ground.has(*p1) or not ground.has(*p2):
            return -1
        return ground.distance(ground.at(*p1), ground.at(*p2))

    def chemin(self, p1: Sequence[int], p2: Sequence[int]) -> list[position]:
        ground = self.ground
        if not ground.has(*p1) or not ground.has(*p2):
            return []
        cells = ground.path(ground.at(*p1), ground.at(*p2))
        return [position(cell % ground.width, cell // ground.width) for cell in cells]

    # -- one's units ---------------------------------------------------------------------------------------------

    def _mine(self, perso: Sequence[int]) -> bool:
        return perso[0] == self.seat and 0 <= perso[1] <= 2

    def perso_classe_info(self, classe: int) -> perso_info:
        if not 0 <= classe <= 2:
            return perso_info(-1, perso_classe.PERSO_VOLEUR, -1, orientation.ORIENTATION_NORD)
        return self.own[classe][1]

    def perso_position(self, perso: Sequence[int]) -> position:
        return self.own[perso[1]][0] if self._mine(perso) else NOWHERE

    def perso_vision(self, perso: Sequence[int]) -> list[position]:
        return [position(*cell) for cell in self._sight(perso[1], VISION[perso[1]])] if self._mine(perso) else []

    def _sight(self, role: int, size: int) -> list[tuple[int, int]]:
        at, info = self.own[role]
        return self.ground.sight(at.x, at.y, info.direction, size)

    def perso_vision_personnages(self, perso: Sequence[int]) -> list[position]:
        return [cell for cell in self.perso_vision(perso) if cell in self.standing]

    def perso_penombre(self, perso: Sequence[int]) -> list[position]:
        return list(self.penumbra[perso[1]]) if self._mine(perso) else []

    def palantir_vision(self) -> list[position]:
        return [cell for cell in self._square("palantir", PALANTIR_SIGHT) if cell in self.standing]

    def elfe_vision(self) -> list[position]:
        return [cell for cell in self._square("revealed", REVEAL_SIGHT) if cell in self.standing]

    def _square(self, which: str, size: int) -> list[position]:
        name = self.shown[which]
        return [position(*cell) for cell in self.ground.square(*cell_of(name), size)] if name else []

    def perso_attaque_recharge(self, perso: Sequence[int], attaque: int) -> int:
        if not self._mine(perso):
            return -1
        return self._cooldown(perso[1], attaque)

    def _cooldown(self, role: int, attaque: int) -> int:
        """-1: the class does not have this attack."""
        if attaque == attaque_type.ATTAQUE_NORMALE:
            return 0
        if attaque not in ABILITIES[role]:
            return -1
        turns: int = self.shown["own"][role]["cooldowns"][ABILITIES[role].index(attaque_type(attaque))]
        return turns

    # -- orders --------------------------------------------------------------------------------------------------

    def perso_deplace(self, perso: Sequence[int], chemin: Iterable[Sequence[int]], direction: int) -> erreur:
        if self.shown["phase"] == "attacks":
            return erreur.CHEMIN_IMPOSSIBLE
        if not self._mine(perso) or perso[1] in self.orders:
            return erreur.PERSONNAGE_IMPOSSIBLE
        steps = self._steps(perso[1], chemin)
        if steps is None or not 0 <= direction <= 3:
            return erreur.CHEMIN_IMPOSSIBLE
        facing = f"face {FACINGS[direction]}"
        self.orders[perso[1]] = f"{ROLES[perso[1]]} " + (f"path {steps} {facing}" if steps else facing)
        return erreur.OK

    def _steps(self, role: int, path: Iterable[Sequence[int]]) -> str | None:
        """In letters; None if the unit cannot walk so."""
        (x, y), points, ground = self.own[role][0], MOVEMENT[role], self.ground
        steps = ""
        for u, v in path:
            points -= ground.prices[ground.at(x, y)]
            step = STEPS.get((u - x, v - y))
            if step is None or points < 0 or not ground.has(u, v) or ground.letters[ground.at(u, v)] == "#":
                return None
            steps += step
            x, y = u, v
        return steps

    def perso_attaque(self, perso: Sequence[int], attaque: int, pos: Sequence[int]) -> erreur:
        if self.shown["phase"] != "attacks":
            return erreur.ATTAQUE_INDISPONIBLE
        if not self._mine(perso) or perso[1] in self.orders:
            return erreur.PERSONNAGE_IMPOSSIBLE
        role, (x, y) = perso[1], pos
        if self._cooldown(role, attaque):
            return erreur.ATTAQUE_INDISPONIBLE
        if not self.ground.has(x, y) or not self._reaches(role, attaque, (x, y)):
            return erreur.POSITION_IMPOSSIBLE
        aim = "" if attaque in UNAIMED else f" {x},{y}"
        self.orders[role] = f"{ROLES[role]} {WORDS[attaque]}{aim}"
        return erreur.OK

    def _reaches(self, role: int, attaque: int, target: tuple[int, int]) -> bool:
        if attaque == attaque_type.ATTAQUE_TRAITRISE:
            return self.own[role][0] == target
        if attaque in (attaque_type.ATTAQUE_FUS_RO_DAH, attaque_type.ATTAQUE_I_SEE, attaque_type.ATTAQUE_LOTO):
            return True
        if role == perso_classe.PERSO_ELFE:
            return self._team_sees(target)
        if attaque == attaque_type.ATTAQUE_BASTOOOON:
            return target in self._sight(role, CONSTANTS["BARBARE_BASTOOOON_PORTEE"])
        knife = role == perso_classe.PERSO_VOLEUR and attaque == attaque_type.ATTAQUE_NORMALE
        return target in self._sight(role, KNIFE_REACH if knife else VISION[role])

    def _team_sees(self, target: tuple[int, int]) -> bool:
        x, y = target
        seen: bool = self.shown["sight"][y][x] == "o"
        return seen

    # -- the match -----------------------------------------------------------------------------------------------

    def mon_equipe(self) -> int:
        return self.seat

    def scores(self) -> list[int]:
        return list(self.shown["points"])

    def nombre_equipes(self) -> int:
        return len(self.shown["points"])

    def tour_actuel(self) -> int:
        return int(self.shown["turn"])

    def nombre_tours_placement(self) -> int:
        return int(self.shown["placement"])

    def nombre_tours(self) -> int:
        return int(self.shown["turns"])
