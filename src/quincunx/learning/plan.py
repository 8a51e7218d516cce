"""What a training is to do, and its log: every portion, every epoch and every proof, as JSON."""

from __future__ import annotations

from pathlib import Path

import msgspec

from quincunx.core.words import Refused, Words

OTHER = Words(
    "Le journal {} est celui d’un autre entraînement : {} diffère.", "The log {} is of another training: {} differs."
)
NO_LOG = Words(
    "Le fichier {} n’est pas le journal d’un entraînement ({}).", "The file {} is not the log of a training ({})."
)
LOG = "training.json"


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    game: str
    seed: int
    rounds: int  # of self-play and learning; from the second on, the net of the one before plays
    positions: int  # of each round
    thought: int  # nodes or simulations of a choice in self-play
    stray: int  # of so many actions in self-play, one is drawn at random
    epochs: int  # of each round
    rate: float  # of Adam, at the beginning
    decay: float  # how fast weights shrink
    trust: float  # in what a search thought, against what became of the match
    by_hand: bool  # does the net stand beside the game's own evaluation, or instead of it?
    habits: dict[str, float] = {}  # of a tree that is grown with the net


class Epoch(msgspec.Struct, frozen=True):
    round: int
    number: int
    learned: float  # loss where it learned
    seen: float  # where it only looked
    seconds: float


class Round(msgspec.Struct, frozen=True):
    number: int
    matches: int
    positions: int  # of all rounds so far
    by_hand: float  # loss of the game's own evaluation, where the net only looks
    scale: float


class Proof(msgspec.Struct, frozen=True):
    """Against the best player without a net, at equal time, on starts that nothing was chosen on."""

    net: str
    other: str
    dearer: float  # how much longer the net thinks about a node
    scores: list[float] = []  # of each pair
    score: float = 0.5
    low: float = 0.0
    high: float = 1.0


class Log(msgspec.Struct):
    plan: Plan
    rounds: list[Round] = []
    epochs: list[Epoch] = []
    proof: Proof | None = None

    def curves(self) -> dict[str, list[tuple[float, float]]]:
        """The losses, over the epochs of all rounds."""
        return {
            "learned": [(k + 1.0, each.learned) for k, each in enumerate(self.epochs)],
            "held out": [(k + 1.0, each.seen) for k, each in enumerate(self.epochs)],
        }

    def levels(self) -> dict[str, float]:
        """What there was before: the loss of the evaluation by hand."""
        return {f"by hand, round {each.number}": each.by_hand for each in self.rounds}

    def save(self, folder: Path) -> None:
        written = folder / f"{LOG}.new"
        written.write_bytes(msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n")
        written.replace(folder / LOG)


def resumed(folder: Path, wanted: Plan) -> Log:
    """The log of this folder, if it is of the training that is wanted; Refused if it is of another."""
    file = folder / LOG
    if not file.exists():
        return Log(wanted)
    try:
        found = msgspec.json.decode(file.read_bytes(), type=Log)
    except (OSError, msgspec.DecodeError) as error:
        raise Refused("not_a_training", NO_LOG.format(file, str(error).rstrip("."))) from None
    for name in Plan.__struct_fields__:
        if getattr(found.plan, name) != getattr(wanted, name):
            raise Refused("other_training", OTHER.format(file, name))
    return found
