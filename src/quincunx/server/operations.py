"""How a server is run, beside where it listens: what whoever operates it decides. Parsed once, at the command line."""

from __future__ import annotations

import re
import ssl
from collections.abc import Iterable
from pathlib import Path

import msgspec

from quincunx.core.words import Refused, Words, expected
from quincunx.players.programs.flight import UNWRITABLE
from quincunx.server.proxies import read_networks

LEVELS = ("debug", "info", "warning", "error")
BASE_PATH = Words("un chemin comme /jeux", "a path like /games")
BOTH = Words(
    "--tls-cert et --tls-key vont ensemble : donnez les deux fichiers.",
    "--tls-cert and --tls-key go together: give both files.",
)
NO_TLS = Words("Le certificat ne convient pas ({}) : {}.", "The certificate cannot be used ({}): {}.")


class Tls(msgspec.Struct, frozen=True):
    certificate: str  # files, in PEM
    key: str


class Operations(msgspec.Struct, frozen=True):
    keep: int | None = None  # milliseconds that matches are kept once they are over; None: for ever
    log_level: str = "info"
    proxies: tuple[str, ...] = ()  # addresses and networks of forwarders that are believed
    base_path: str = ""  # /games: all of it lies below
    tls: Tls | None = None
    chat: bool = False  # may people at a table write what they like?
    program_log: Path | None = None  # the folder that keeps the dialogues of this computer's programs

    @property
    def scheme(self) -> str:
        return "https" if self.tls else "http"


AS_USUAL = Operations()


def read_operations(
    keep: int | None,
    log_level: str,
    proxies: Iterable[str],
    base_path: str,
    certificate: Path | None,
    key: Path | None,
    chat: bool = False,
    program_log: Path | None = None,
) -> Operations:
    if log_level.lower() not in LEVELS:
        raise expected(Words(" | ".join(LEVELS), " | ".join(LEVELS)), log_level)
    trusted = tuple(str(network) for network in read_networks(proxies))
    if program_log is not None:
        try:
            program_log.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Refused("unwritable_folder", UNWRITABLE.format(program_log, error.strerror)) from None
    path, tls = read_base_path(base_path), read_tls(certificate, key)
    return Operations(keep, log_level.lower(), trusted, path, tls, chat, program_log)


def read_base_path(given: str) -> str:
    """Without a slash at its end; nothing for the root."""
    path = "/" + given.strip("/") if given.strip("/") else ""
    if not re.fullmatch(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*", path):
        raise expected(BASE_PATH, given)
    return path


def read_tls(certificate: Path | None, key: Path | None) -> Tls | None:
    if certificate is None and key is None:
        return None
    if certificate is None or key is None:
        raise Refused("no_tls", BOTH)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password=lambda: "")
    except (ssl.SSLError, OSError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
        raise Refused("no_tls", NO_TLS.format(certificate, why)) from None
    return Tls(str(certificate), str(key))
