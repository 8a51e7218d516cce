"""Files that commands write; one sentence if they cannot."""

from __future__ import annotations

from pathlib import Path

from quincunx.core.words import Refused, Words


def write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        words = Words("Le fichier {} ne peut pas être écrit ({}).", "The file {} cannot be written ({}).")
        raise Refused("unwritable_file", words.format(file, error.strerror)) from None
