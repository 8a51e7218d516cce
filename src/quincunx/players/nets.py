"""Nets in files: `net:FILE` plays with one, `net` with the one that the game ships (net.npz in its folder).

A file is plain arrays of whole numbers, as NumPy writes them (.npz, no pickles):

    rows       int16   [input, hidden unit]     1 is 128
    first      int16   [hidden unit]            what their sums begin with
    straight   int32   [input]                  in parts of 32 of the game's unit
    last       int32   [hidden unit]            likewise
    ends       int32   the factor of the game's own evaluation in parts of 256, and what is added in the end
    about      uint8   JSON: format, game, digest, habits (of a tree that is grown with it: fields of mcts.Tree)

The digest says what the net was made for: the version of the rules, what its inputs mean, and the evaluation that it
stands beside. A net for anything else would play nonsense, so it is refused. How it is evaluated: core/net.py.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Mapping
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import msgspec

from quincunx.core import net
from quincunx.core.wording import gather
from quincunx.core.words import Refused, Words, expected
from quincunx.games import Game, load, package

if TYPE_CHECKING:  # whoever plays without a net needs no NumPy
    import numpy as np
    from numpy.typing import NDArray

FORMAT = 1
SHIPPED = "net.npz"
LARGEST_FILE = 1 << 26  # bytes
UNITS = 4 * net.WORDS
HABITS = ("longest", "turns", "edge", "eager", "exploration", "trust")
CANNOT = Words("{} ne dit pas ce qu’un réseau regarde (net.py).", "{} does not say what a net looks at (net.py).")
NONE_SHIPPED = Words(
    "Aucun réseau n’est livré pour {} : « net:FICHIER » en désigne un, que « quincunx train {} » entraîne.",
    "No net is shipped for {}: “net:FILE” names one, which “quincunx train {}” trains.",
)
NO_NET = Words("Le fichier {} n’est pas un réseau ({}).", "The file {} is not a net ({}).")
OTHER_GAME = Words("Le réseau {} est fait pour {}, et non pour {}.", "The net {} is made for {}, not for {}.")
OTHER_RULES = Words(
    "Le réseau {} est fait pour d’autres règles, entrées ou évaluations de {} : il faut l’entraîner à nouveau.",
    "The net {} is made for other rules, inputs or evaluations of {} than these: it must be trained again.",
)


class About(msgspec.Struct, forbid_unknown_fields=True):
    format: int
    game: str
    digest: str
    habits: dict[str, float] = {}


class Net(msgspec.Struct, frozen=True):
    """As it is played: the tables of core/net.py, and how a tree is grown with it."""

    tables: dict[str, list[int]]
    habits: dict[str, float]


@cache
def digest_of(id: str) -> str:
    """Of all that a net of this game depends on."""
    game = load(id, "interpreted")
    told: dict[str, str] = {}
    for question in (net.looks, net.inputs, net.by_hand):
        gather(game.gear.plan(question), told)
    said = [FORMAT, id, game.card.version, _inputs(game).VERSION, net.ONE_BITS, net.FINE_BITS, sorted(told.items())]
    return sha256(repr(said).encode()).hexdigest()[:16]


def _inputs(game: Game) -> Any:
    if game.net_inputs is None:
        raise Refused("no_inputs", CANNOT.format(game.card.name))
    return game.net_inputs


def write(file: Path, game: Game, arrays: Mapping[str, NDArray[Any]], habits: Mapping[str, float]) -> None:
    """All of it or nothing."""
    import numpy as np

    about = msgspec.json.encode(About(FORMAT, game.card.id, digest_of(game.card.id), dict(habits)))
    written = file.with_name(f"{file.name}.new")
    with written.open("wb") as out:
        np.savez_compressed(out, allow_pickle=False, about=np.frombuffer(about, np.uint8), **arrays)
    written.replace(file)


def shipped(game: Game) -> Path | None:
    """The net that comes with a game."""
    file = Path(next(iter(package(game.card.id).__path__))) / SHIPPED
    return file if file.exists() else None


def find(file: str, game: Game) -> Net:
    """The net of this file, or the shipped one; Refused if there is none, or if it does not fit."""
    where = Path(file) if file else shipped(game)
    if where is None:
        _inputs(game)
        raise Refused("no_net", NONE_SHIPPED.format(game.card.name, game.card.id))
    try:
        seen = where.stat()
        if seen.st_size > LARGEST_FILE:
            raise ValueError(f"{seen.st_size} bytes")
        return _read(where, game.card.id, seen.st_mtime_ns, seen.st_size)
    except OSError as error:
        raise Refused("no_net", NO_NET.format(where, error.strerror)) from None
    except (ValueError, KeyError, msgspec.DecodeError) as error:
        if isinstance(error, Refused):
            raise
        raise Refused("no_net", NO_NET.format(where, str(error).rstrip("."))) from None


@lru_cache(maxsize=16)
def _read(file: Path, id: str, changed: int, bytes: int) -> Net:
    """`changed` and `bytes` are there so that a file that was written anew is read again."""
    import numpy as np

    game = load(id, "interpreted")
    try:
        with np.load(io.BytesIO(file.read_bytes()), allow_pickle=False) as found:
            arrays = {name: found[name] for name in ("about", "rows", "first", "straight", "last", "ends")}
    except (TypeError, AttributeError, EOFError, BadZipFile, zlib.error) as error:  # an array alone, or something else
        raise ValueError("not an .npz") from error
    about = msgspec.json.decode(arrays.pop("about").tobytes(), type=About)
    if about.format != FORMAT:
        raise expected(Words("un réseau du format {}", "a net of the format {}").format(FORMAT), about.format)
    if about.game != id:
        raise Refused("other_net", OTHER_GAME.format(file, about.game, id))
    if about.digest != digest_of(id):
        raise Refused("other_net", OTHER_RULES.format(file, game.card.name))
    _check(arrays, _inputs(game))
    if not about.habits.keys() <= set(HABITS):
        raise ValueError(f"habits of {', '.join(HABITS)} but got {', '.join(about.habits)}")
    return Net(_tables(arrays, _inputs(game).MOST), about.habits)


def _check(arrays: Mapping[str, NDArray[Any]], inputs: Any) -> None:
    """Shapes are those of the game's inputs, and no sum can leave its 16 bits: gears would differ."""
    shapes = {"rows": (inputs.INPUTS, UNITS), "first": (UNITS,), "straight": (inputs.INPUTS,), "last": (UNITS,)}
    for name, shape in {**shapes, "ends": (2,)}.items():
        array = arrays[name]
        if array.shape != shape or array.dtype.kind != "i":
            raise ValueError(f"{name}: whole numbers of the shape {shape}, not {array.dtype} of {array.shape}")
    most = net.LARGEST // (inputs.MOST + 1)
    for name in ("rows", "first"):
        if abs(arrays[name].astype("int64")).max() > most:
            raise ValueError(f"{name}: from -{most} to {most}")
    for name in ("straight", "last", "ends"):
        if abs(arrays[name].astype("int64")).max() >= 1 << 31:
            raise ValueError(f"{name}: 32 bits")


def _tables(arrays: Mapping[str, NDArray[np.signedinteger[Any]]], most: int) -> dict[str, list[int]]:
    hand, constant = arrays["ends"].tolist()
    return {
        "NET_ROWS": _packed(arrays["rows"]),
        "NET_FIRST": _packed(arrays["first"]),
        "NET_STRAIGHT": arrays["straight"].tolist(),
        "NET_LAST": arrays["last"].tolist(),
        "NET_SHAPE": [most, hand, constant],
    }


def _packed(units: NDArray[Any]) -> list[int]:
    """Four of them in each number."""
    return [a + (b << 16) + (c << 32) + (d << 48) for a, b, c, d in units.reshape(-1, 4).tolist()]


def split(spec: str) -> tuple[str, str]:
    """The file that `net:FILE,nodes=1000` names, or "", and its settings."""
    first, _, rest = spec.removeprefix("net").removeprefix(":").partition(",")
    return ("", spec.partition(":")[2]) if "=" in first or not first else (first, rest)


def search_of(game: Game) -> str:
    """The search that a net helps: that of the game's best level."""
    return game.levels[-1].player


@lru_cache(maxsize=8)
def _game(id: str, gear: str, file: str, changed: int) -> Game:
    return Game(package(id), gear, net=find(file, load(id, "interpreted")).tables)


def with_net(game: Game, file: str) -> tuple[Game, dict[str, float]]:
    """The same game, in the same gear, judged by a net; and the habits of a tree that is grown with it."""
    found = find(file, game)
    where = Path(file) if file else shipped(game)
    assert where is not None
    gear = "checked" if game.gear.checked else "compiled" if game.gear.compiled else "interpreted"
    return _game(game.card.id, gear, file, where.stat().st_mtime_ns), found.habits
