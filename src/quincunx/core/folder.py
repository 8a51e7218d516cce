"""What a game's folder must hold and may hold: whatever is missing, misspelt or of another kind is said when the game
is loaded, in one sentence, and not when somebody plays it.

A name that is misspelt would otherwise be a default that nobody asked for; a refusal without words, an error in the
middle of a match.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import CodeType, FunctionType, ModuleType
from typing import Any

from quincunx.core import contract, encoding, hints, net
from quincunx.core.card import Card
from quincunx.core.engine import annotated, is_rule
from quincunx.core.hints import Hints
from quincunx.core.refusals import codes
from quincunx.core.structure import Structure, fields
from quincunx.core.words import Words


def _rules_of(module: ModuleType) -> dict[str, FunctionType]:
    return {name: v for name, v in vars(module).items() if _own(v, module) and is_rule(v)}


def _own(value: object, module: ModuleType) -> bool:
    return isinstance(value, FunctionType) and value.__module__ == module.__name__


CONTRACT, HINTS, ENCODING = _rules_of(contract), _rules_of(hints), _rules_of(encoding)
NET = {name: f for name, f in _rules_of(net).items() if name in ("looks", "inputs")}
REQUIRED = {
    "rules": ("Terms", "State", "View", "MAX_LEGAL", "LISTS_ALL", "turn", "legal", "check", "apply", "score"),
    "setup": ("OPTIONS", "PRESETS", "SETUPS", "new", "load"),
    "notation": ("REFUSALS", "text", "parse", "position", "read"),
    "view": ("board", "show", "tell"),
    "evaluate": (),
}
# a part that a folder may do without, and what it must hold if it is there
OPTIONAL = {
    "encoding": (
        "VERSION", "PLANES", "SCALARS", "size", "actions", "name",
        "encode", "number_of", "action_of",
    ),
    "net": ("VERSION", "INPUTS", "MOST", "inputs"),
    "levels": (),
    "opponents": ("OPPONENTS",),
    "odds": ("MOST", "odds"),
}  # fmt: skip
MAY = {
    "rules": tuple(CONTRACT),
    "setup": ("LENGTHS", "forfeit_score"),
    "notation": ("expand",),
    "view": ("ALIKE", "COUNTED", "FACTS", "ending", "ripple", "score_words", "unveil"),
    "evaluate": (*HINTS, "HINTS", "WEIGHTS", "WEIGHT"),
    "encoding": tuple(ENCODING),
    "net": (*NET, "RECIPE"),
    "levels": ("LEVELS", "DUEL", "REAL", "EFFORT"),
    "opponents": (),
    "odds": (),
}


def card_of(package: ModuleType, id: str) -> Card:
    """The card of the game that was found under this name."""
    card = getattr(package, "CARD", None)
    if not isinstance(card, Card):
        raise _wrong(package, "CARD, a Card", card)
    if card.id != id:
        raise _wrong(package, f"a card with the id {id!r}, the name of the folder", repr(card.id))
    return card


def examine(parts: Mapping[str, ModuleType], all_modules: Iterable[ModuleType]) -> None:
    """TypeError if the modules of a game are not what the contract, the façade and search will ask for."""
    modules = list(all_modules)
    read = _names_read(modules)
    for part, module in parts.items():
        for name in _required(part):
            if not hasattr(module, name):
                raise _wrong(module, name, f"none{_meant(name, module)}")
        _misspelt(part, module, read)
    for module in modules:
        for f in _rules_of(module).values():
            annotated(f)
    _rules(parts["rules"])
    _signatures(parts["rules"], CONTRACT)
    _signatures(parts["evaluate"], HINTS)
    _refusals(parts["rules"], parts["notation"])
    _view(parts["view"], parts["rules"])
    _evaluation(parts["evaluate"], read)
    if "encoding" in parts:
        _signatures(parts["encoding"], ENCODING)
        _encoding(parts["encoding"])
    if "net" in parts:
        _signatures(parts["net"], NET)
        _net(parts["net"])
    if "levels" in parts and not _whole(getattr(parts["levels"], "EFFORT", 1), 1):
        raise _wrong(parts["levels"], "EFFORT, a whole number of 1 or more", repr(parts["levels"].EFFORT))
    if "opponents" in parts:
        _opponents(parts["opponents"])
    if "odds" in parts:
        _odds(parts["odds"])


def _required(part: str) -> tuple[str, ...]:
    return REQUIRED[part] if part in REQUIRED else OPTIONAL[part]


def _wrong(module: ModuleType, wanted: str, came: object) -> TypeError:
    return TypeError(f"{module.__name__}: expected {wanted} but got {came}")


# -- names -----------------------------------------------------------------------------------------------------------


def _names_read(modules: Iterable[ModuleType]) -> set[str]:
    """Names that the functions of a game use."""
    read: set[str] = set()
    for module in modules:
        waiting = [v.__code__ for v in vars(module).values() if _own(v, module)]
        while waiting:
            code = waiting.pop()
            read.update(code.co_names)
            waiting += [inner for inner in code.co_consts if isinstance(inner, CodeType)]
    return read


def _misspelt(part: str, module: ModuleType, read: set[str]) -> None:
    """What stands there for nobody, while a name much like it is absent."""
    known = {*_required(part), *MAY[part]}
    for name, value in vars(module).items():
        if name in known or name in read or name.startswith("_") or not (_own(value, module) or name.isupper()):
            continue
        for right in known - vars(module).keys():
            if _alike(name, right):
                raise _wrong(module, right, f"{name}, which nobody reads")


def _meant(name: str, module: ModuleType) -> str:
    found = [n for n in vars(module) if _alike(n, name)]
    return f" (perhaps {found[0]}?)" if found else ""


def _alike(a: str, b: str) -> bool:
    """Would one be taken for the other: a letter or two more, fewer, other or elsewhere?"""
    most = 2 if min(len(a), len(b)) > 5 else 1
    return a.isupper() == b.isupper() and abs(len(a) - len(b)) <= most and 0 < _distance(a, b) <= most


def _distance(a: str, b: str) -> int:
    """How many letters must be put in, left out, changed or exchanged with the next one."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, last, row = row, before, [i]
        for j, y in enumerate(b, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y)))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                row[j] = min(row[j], last[j - 2] + 1)
    return row[-1]


# -- rules -----------------------------------------------------------------------------------------------------------


def _rules(rules: ModuleType) -> None:
    for name, kind in (("Terms", contract.Terms), ("State", Structure), ("View", Structure)):
        structure = getattr(rules, name)
        if not isinstance(structure, type) or not issubclass(structure, kind):
            raise _wrong(rules, f"{name}, a class of {kind.__module__}.{kind.__name__}", structure)
        fields(structure)  # says which of them is none
    if not _whole(rules.MAX_LEGAL, 1):
        raise _wrong(rules, "MAX_LEGAL, a whole number of 1 or more", repr(rules.MAX_LEGAL))
    if not isinstance(rules.LISTS_ALL, bool):
        raise _wrong(rules, "LISTS_ALL, True or False", repr(rules.LISTS_ALL))


def _signatures(module: ModuleType, asked: Mapping[str, FunctionType]) -> None:
    for name, f in asked.items():
        own = getattr(module, name, f)
        if not is_rule(own):
            raise _wrong(module, f"{name} with @rule before it", own)
        if own.__code__.co_argcount != f.__code__.co_argcount:
            raise _wrong(module, f"{name}({_arguments(f)})", f"{name}({_arguments(own)})")


def _arguments(f: FunctionType) -> str:
    return ", ".join(f.__code__.co_varnames[: f.__code__.co_argcount])


def _refusals(rules: ModuleType, notation: ModuleType) -> None:
    told = notation.REFUSALS
    for code, said in told.items():
        if not (isinstance(said, tuple) and len(said) == 2 and isinstance(said[0], str) and isinstance(said[1], Words)):
            raise _wrong(notation, f"REFUSALS[{code}], a name and Words", said)
        if not _whole(code, contract.NONSENSE + 1):
            raise _wrong(notation, f"codes of REFUSALS from {contract.NONSENSE + 1} on", repr(code))
    for code, where in codes(rules.check).items():
        if code not in told and code not in (0, contract.NOT_TO_ACT, contract.NONSENSE):
            raise _wrong(notation, f"words in REFUSALS for {where}", "none")


def _view(view: ModuleType, rules: ModuleType) -> None:
    if not isinstance(getattr(view, "ALIKE", False), bool):
        raise _wrong(view, "ALIKE, True or False", repr(view.ALIKE))
    counted = getattr(view, "COUNTED", None)
    if counted is not None:
        numbers = [f.name for f in fields(rules.State) if not f.whole]
        if not (isinstance(counted, tuple) and len(counted) == 2 and counted[0] in numbers and _whole(counted[1], 1)):
            wanted = f"COUNTED, one of the numbers of State ({', '.join(numbers)}) and how many of them make a turn"
            raise _wrong(view, wanted, repr(counted))


def _whole(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


# -- what search asks ------------------------------------------------------------------------------------------------


def _evaluation(module: ModuleType, read: set[str]) -> None:
    for name, f in _rules_of(module).items():
        if name not in HINTS and name not in read and not name.startswith("_") and f.__name__ == name:
            raise _wrong(module, f"one of {', '.join(HINTS)}", f"{name}, which nobody reads")
    for name, value in vars(module).items():
        if isinstance(value, Hints) and name != "HINTS":
            raise _wrong(module, "HINTS", name)
        if isinstance(value, (int, float)) and name.isupper() and name not in read:
            for field in Hints._fields:
                if name.lower() == field or _alike(name.lower(), field):
                    raise _wrong(module, f"HINTS = Hints({field}={value})", f"{name}, which nobody reads")
    _hints(module, getattr(module, "HINTS", Hints()))
    _weights(module)


def _hints(module: ModuleType, given: object) -> None:
    if not isinstance(given, Hints):
        raise _wrong(module, "HINTS, a Hints of quincunx.core.hints", repr(given))
    for (name, usual), value in zip(Hints._field_defaults.items(), given, strict=True):
        fraction = isinstance(usual, float) and isinstance(value, (int, float)) and value >= 0
        if not fraction and not (isinstance(usual, int) and _whole(value, 0)):
            wanted = "a number" if isinstance(usual, float) else "a whole number"
            raise _wrong(module, f"{wanted} of 0 or more for HINTS.{name}", repr(value))


def _weights(module: ModuleType) -> None:
    weights = getattr(module, "WEIGHTS", ())
    for weight in weights:
        if not _is_weight(weight):
            raise _wrong(module, "WEIGHTS of (name, value, lowest, highest)", repr(weight))
    if list(getattr(module, "WEIGHT", [])) != [value for _, value, _, _ in weights]:
        raise _wrong(module, "WEIGHT = table([value for _, value, _, _ in WEIGHTS])", "another table, or none")


def _is_weight(weight: Any) -> bool:
    if not isinstance(weight, tuple) or len(weight) != 4 or not isinstance(weight[0], str):
        return False
    return all(isinstance(n, int) for n in weight[1:]) and weight[2] <= weight[1] <= weight[3]


# -- what environments ask -------------------------------------------------------------------------------------------


def _encoding(module: ModuleType) -> None:
    if not _whole(module.VERSION, 1):
        raise _wrong(module, "VERSION, a whole number of 1 or more", repr(module.VERSION))
    for what in ("PLANES", "SCALARS"):
        names = getattr(module, what)
        if not isinstance(names, tuple) or not all(isinstance(name, str) and name for name in names):
            raise _wrong(module, f"{what}, a tuple of names", repr(names)[:60])
        twice = [name for k, name in enumerate(names) if name in names[:k]]
        if twice:
            raise _wrong(module, f"{what} with different names", f"{twice[0]!r} twice")
    for name, arguments in (("size", "terms"), ("actions", "terms"), ("name", "terms, number")):
        _function(module, name, arguments)


def _function(module: ModuleType, name: str, arguments: str) -> None:
    f = getattr(module, name)
    if not isinstance(f, FunctionType) or f.__code__.co_argcount != len(arguments.split(", ")):
        came = f"{name}({_arguments(f)})" if isinstance(f, FunctionType) else repr(f)
        raise _wrong(module, f"{name}({arguments})", came)


def _net(module: ModuleType) -> None:
    if not isinstance(getattr(module, "RECIPE", {}), dict):
        raise _wrong(module, "RECIPE, settings of a training by their names", repr(module.RECIPE))
    for name, most in (("VERSION", 1 << 31), ("INPUTS", net.MASK), ("MOST", net.MOST_INPUTS)):
        value = getattr(module, name)
        if not _whole(value, 1) or value > most:
            raise _wrong(module, f"{name}, a whole number of 1 to {most}", repr(value))


# -- what players ask ------------------------------------------------------------------------------------------------


def _opponents(module: ModuleType) -> None:
    wanted = 'OPPONENTS, {"name": (Class, Words(…))}'
    if not isinstance(module.OPPONENTS, dict):
        raise _wrong(module, wanted, repr(module.OPPONENTS))
    for name, told in module.OPPONENTS.items():
        if not (isinstance(told, tuple) and len(told) == 2 and callable(told[0]) and isinstance(told[1], Words)):
            raise _wrong(module, wanted, f"{name!r}: {told!r}")


def _odds(module: ModuleType) -> None:
    if not _whole(module.MOST, 1):
        raise _wrong(module, "MOST, a whole number of 1 or more", repr(module.MOST))
    _function(module, "odds", "terms, s")


def modules_of(package: ModuleType, loaded: dict[str, ModuleType]) -> Iterator[ModuleType]:
    """Those of a game's files that were imported. Other threads may import meanwhile: a copy is made in one step, which
    a list of the items is not."""
    return (m for name, m in loaded.copy().items() if name.startswith(f"{package.__name__}.") and m is not None)
