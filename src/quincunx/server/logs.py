"""Logs: one JSON object a line on the standard error, or a readable line where that is a terminal.

    {"time":"2026-01-02T03:04:05.678Z","level":"info","event":"compiling","game":"khet"}

What happened is a word (`event`), the rest are fields. No states, no tokens, no texts of moves, no addresses.
"""

from __future__ import annotations

import logging
import sys
import time
from typing import Any

import msgspec


class Log:
    """`log.info("store.open", kind="sqlite")`"""

    def __init__(self, name: str) -> None:
        self._logger = logging.getLogger(name)

    def debug(self, event: str, **fields: Any) -> None:
        self._logger.debug(event, extra={"fields": fields})

    def info(self, event: str, **fields: Any) -> None:
        self._logger.info(event, extra={"fields": fields})

    def warning(self, event: str, **fields: Any) -> None:
        self._logger.warning(event, extra={"fields": fields})

    def error(self, event: str, **fields: Any) -> None:
        """With what was raised, if it is called where something was."""
        self._logger.error(event, extra={"fields": fields}, exc_info=sys.exc_info()[0] is not None)


log = Log("quincunx")


class Lines(logging.Formatter):
    """A record as a line; what other libraries say becomes the field `words`."""

    def __init__(self, readable: bool, process: int | None = None) -> None:
        """`process`: its place, where a server has several."""
        super().__init__()
        self._readable = readable
        self._of: dict[str, Any] = {} if process is None else {"process": process}

    def format(self, record: logging.LogRecord) -> str:
        known = hasattr(record, "fields")
        event = record.getMessage() if known else record.name
        fields: dict[str, Any] = dict(record.fields) if known else {"words": record.getMessage()}  # type: ignore[attr-defined]
        if record.exc_info:
            fields["trace"] = self.formatException(record.exc_info)
        if self._readable:
            told = "  ".join(f"{name}={value}" for name, value in fields.items())
            at = time.strftime("%H:%M:%S", time.localtime(record.created))
            return f"{at} {record.levelname.lower():7} {event}  {told}"
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        head = {"time": f"{at}.{int(record.msecs):03d}Z", "level": record.levelname.lower(), "event": event}
        return msgspec.json.encode({**head, **self._of, **fields}, enc_hook=str).decode()


def configuration(
    level: str = "INFO", handler: logging.Handler | None = None, process: int | None = None
) -> dict[str, Any]:
    """For `logging.config.dictConfig`: all loggers speak alike, to this handler or on the standard error."""
    plain = {"class": "logging.StreamHandler", "formatter": "lines", "stream": "ext://sys.stderr"}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": Lines, "readable": sys.stderr.isatty(), "process": process}},
        "handlers": {"stderr": {"()": lambda: handler} if handler else plain},
        "root": {"level": "WARNING", "handlers": ["stderr"]},
        "loggers": {
            "quincunx": {"level": level},
            "uvicorn": {"level": "WARNING"},
            "uvicorn.access": {"level": "WARNING"},  # paths hold the ids of matches
        },
    }
