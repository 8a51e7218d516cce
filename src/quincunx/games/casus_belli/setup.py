"""Casus Belli: options, the two presets, the maps of the house, and the start of a match on any map."""

from __future__ import annotations

from quincunx.core.options import Choice, Option, Preset, Value, long, normal, short
from quincunx.core.words import Words, unfit
from quincunx.games.casus_belli import notation
from quincunx.games.casus_belli.field import SEATS, SIDE, State, Terms
from quincunx.games.casus_belli.mapfile import put_ground, read_map
from quincunx.games.casus_belli.maps import SETUPS, draw


def _choice(name: str, label: Words, *choices: tuple[str, str, str]) -> Option:
    """The first choice is the default."""
    named = tuple(Choice(word, Words(fr, en)) for word, fr, en in choices)
    return Option(name, "choice", choices[0][0], label, choices=named)


def _number(name: str, default: int, low: int, high: int, fr: str, en: str) -> Option:
    return Option(name, "int", default, Words(fr, en), low, high)


OPTIONS = (
    Option("seats", "int", 3, Words("Nombre de joueurs", "Number of players"), 2, SEATS, foremost=True),
    _choice(
        "order",
        Words("Dans un tour", "Within a turn"),
        (
            "together",
            "on donne tous les ordres ensemble, les attaques ont lieu d’abord",
            "all orders are given together, attacks come first",
        ),
        ("moves_first", "on se déplace, puis on attaque", "first moves, then attacks"),
    ),
    _choice(
        "cooldowns",
        Words("Temps de recharge", "Cooldowns"),
        ("long", "palantír 5, Fus Ro Dah 10", "palantír 5, Fus Ro Dah 10"),
        ("short", "palantír 3, Fus Ro Dah 5", "palantír 3, Fus Ro Dah 5"),
    ),
    _choice(
        "bastoooon",
        Words("Bastoooon touche", "Bastoooon strikes"),
        ("cell", "les ennemis de la case du barbare", "the enemies on the barbarian’s cell"),
        ("plus", "une croix de cinq cases, amis compris", "a plus of five cells, friends too"),
    ),
    _choice(
        "loto",
        Words("Loto tire", "Loto shoots"),
        ("outside", "partout sauf là où l’elfe voit", "anywhere but where the elf sees"),
        ("anywhere", "partout", "anywhere"),
    ),
    _choice(
        "vision",
        Words("Les bords du champ de vision", "The edges of what a unit sees"),
        ("narrow", "se cachent derrière un obstacle voisin", "hide behind an obstacle beside them"),
        ("wide", "restent toujours visibles", "are always in sight"),
    ),
    _choice(
        "penumbra",
        Words("La pénombre montre", "The penumbra shows"),
        ("enemies", "les ennemis", "enemies"),
        ("everyone", "tout le monde", "everyone"),
    ),
    _choice(
        "points",
        Words("Une mort rapporte", "A death is worth"),
        ("kills", "+1 à qui tue, −1 à qui tue l’un des siens", "+1 to the killer, −1 for killing one’s own"),
        ("kills_and_losses", "la même chose, et −1 à qui perd l’unité", "the same, and −1 to whoever loses the unit"),
    ),
    _choice(
        "death",
        Words("Les morts reviennent", "The dead return"),
        ("next_turn", "au tour suivant, et laissent un cadavre", "next turn, and leave a corpse"),
        ("at_once", "aussitôt, sans cadavre", "at once, without a corpse"),
    ),
    Option("hotspots", "bool", True, Words("Les hotspots de la carte comptent", "The map’s hotspots count")),
    Option(
        "placement_counts",
        "bool",
        False,
        Words("Les tours de placement comptent parmi les tours", "Placement turns count as turns"),
    ),
    _number("width", 21, 9, SIDE, "Largeur d’une carte tirée au sort", "Width of a map drawn at random"),
    _number("height", 21, 9, SIDE, "Hauteur d’une carte tirée au sort", "Height of a map drawn at random"),
    _number(
        "placement",
        3,
        0,
        20,
        "Tours de placement sur une carte tirée au sort",
        "Placement turns on a map drawn at random",
    ),
    _number(
        "turns", 40, 21, 200, "Nombre de tours sur une carte tirée au sort", "Number of turns on a map drawn at random"
    ),
)
PRESETS = (
    Preset("seed", Words("Règles d’origine", "Original rules")),
    Preset(
        "final",
        Words("Comme à la finale", "As played in the final"),
        {
            "order": "moves_first",
            "cooldowns": "short",
            "bastoooon": "plus",
            "loto": "anywhere",
            "vision": "wide",
            "penumbra": "everyone",
            "points": "kills_and_losses",
            "death": "at_once",
            "hotspots": False,
            "placement_counts": True,
        },
    ),
)
LENGTHS = (
    short(
        Words(
            "La fosse : 9 × 9 cases, à deux, 13 tours dont 1 de placement",
            "The pit: 9 × 9 cells, two players, 13 turns, 1 of them placement",
        ),
        setup="pit",
        usual=True,
        seats=2,
    ),
    normal(
        Words(
            "Une carte tirée au sort de 13 × 13 cases, à deux, 26 tours dont 2 de placement",
            "A map of 13 × 13 cells drawn at random, two players, 26 turns, 2 of them placement",
        ),
        seats=2,
        width=13,
        height=13,
        placement=2,
        turns=24,
    ),
    long(
        Words(
            "Une carte tirée au sort de 21 × 21 cases, à trois, 43 tours dont 3 de placement",
            "A map of 21 × 21 cells drawn at random, three players, 43 turns, 3 of them placement",
        ),
        seats=3,
        width=21,
        height=21,
        placement=3,
        turns=40,
    ),
)


def new(options: dict[str, Value], seed: int) -> tuple[Terms, State]:
    """A map drawn by lot."""
    width, height, placement, turns = (int(options[name]) for name in ("width", "height", "placement", "turns"))
    return load(options, draw(width, height, placement, turns, seed), seed)


def load(options: dict[str, Value], text: str, seed: int) -> tuple[Terms, State]:
    """A map that somebody wrote; it is played by as many as the options say."""
    chart = read_map(text)
    if options["placement_counts"] and chart.turns <= chart.placement:
        fr, en = (
            "Il faut plus de tours ({}) que de tours de placement ({}).",
            "There must be more turns ({}) than placement turns ({}).",
        )
        raise unfit(fr, en, chart.turns, chart.placement)
    terms = notation.terms(options)
    put_ground(terms, chart.rows, chart.start, bool(options["hotspots"]))
    terms.placement = chart.placement
    terms.turns = chart.turns + (0 if options["placement_counts"] else chart.placement)
    return terms, notation.begin(terms)


__all__ = ["LENGTHS", "OPTIONS", "PRESETS", "SETUPS", "load", "new"]
