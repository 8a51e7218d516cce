"""What an environment needs of others is asked for when it is made, and its absence is said in one sentence."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from quincunx.core.words import Refused, Words

NOT_INSTALLED = Words(
    "Il manque {0} : pip install 'quincunx[{1}]' l’installe.",
    "{0} is missing: pip install 'quincunx[{1}]' installs it.",
)


def needed(module: str, extra: str) -> ModuleType:
    """The module of an optional dependency."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != module.partition(".")[0]:
            raise  # it is there, and something that it needs is not
        raise Refused("not_installed", NOT_INSTALLED.format(module.partition(".")[0], extra)) from None
