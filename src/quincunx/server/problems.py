"""How this server says no, and the headers that every answer carries, refusals included.

A refusal is a `Problem`: a stable code, and one sentence in two languages. It tells nothing of a match's state.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.datastructures import MutableScopeHeaders
from litestar.exceptions import HTTPException
from litestar.openapi import ResponseSpec
from litestar.types import Message, Scope
from msgspec import inspect

from quincunx.core.words import Refused, Words
from quincunx.players.workers import ThoughtLost
from quincunx.server.logs import log
from quincunx.store import Unavailable

CONTENT = {
    "default-src": "'self'",
    "script-src": "'self' 'wasm-unsafe-eval'",  # the engine in the page: WebAssembly, and no text as code
    "style-src-attr": "'unsafe-inline'",  # where a piece stands; scripts are never inline
    "img-src": "'self' data: blob:",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
SECURITY = {
    "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in CONTENT.items()),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}

STATUS = {
    "no_such_match": 404,
    "no_such_setup": 404,
    "no_such_study": 404,
    "no_such_contest": 404,
    "no_such_puzzle": 404,
    "no_such_lesson": 404,
    "no_such_class": 404,
    "no_such_pupil": 404,
    "no_such_person": 404,
    "no_person": 404,
    "nobody": 409,
    "not_found": 404,
    "not_yours": 403,
    "not_here": 403,
    "other_site": 403,
    "taken": 409,
    "name_taken": 409,
    "running": 409,
    "over": 409,
    "not_to_act": 409,
    "other_rules": 409,
    "secret": 409,
    "damaged": 409,
    "lan_closed": 409,
    "no_isolation": 409,
    "full": 409,
    "closed": 409,
    "not_an_arena": 409,
    "yourself": 409,
    "too_long": 413,
    "busy": 429,
    "too_many_requests": 429,
    "endless": 413,
    "overloaded": 503,
    "lost": 503,
}
MEANING = {
    400: "It cannot be understood, or the game does not allow it",
    403: "Somebody else may do this, not this client",
    404: "There is no such thing",
    409: "Not now: what is asked for does not fit how things stand",
    413: "Too long",
    429: "Too much at once; later, perhaps",
    503: "The database or the computer players do not answer",
}

GONE = "client disconnected prematurely"  # as the framework says it, with a 500
NOT_UNDERSTOOD = Words("La demande n’est pas comprise : {}.", "The request is not understood: {}.")
ONE_OF = Words("{} : il faut l’un de {}", "{}: expected one of {}")
NOT_FOUND = Words("Il n’y a rien à cette adresse.", "There is nothing at this address.")
TOO_LONG = Words("C’est trop long.", "This is too long.")
TOO_DEEP = Words("La demande n’est pas comprise : trop imbriquée.", "The request is not understood: nested too deep.")
OTHER_SITE = Words("Cette demande vient d’un autre site.", "This request comes from another site.")
UNAVAILABLE = Words("La base de données ne répond pas.", "The database does not answer.")
BUG = Words(
    "Une erreur s’est produite sur le serveur ; son journal dit pourquoi.",
    "Something went wrong on the server; its log says why.",
)


class Problem(msgspec.Struct, frozen=True):
    code: str
    words: Words
    field: str = ""  # what of a form it is about: options.seats, setup, clock, seats, name


def refusals(*statuses: int) -> dict[int, ResponseSpec]:
    """For the description of a handler: the ways in which it says no."""
    return {
        status: ResponseSpec(Problem, generate_examples=False, description=MEANING[status])
        for status in sorted({400, 403, 413, 429, 503, *statuses})
    }


def _refused(_: Any, refused: Refused) -> Response[Problem]:
    status = STATUS.get(refused.code, 400)
    answer = _problem(status, refused.code, refused.words, refused.field)
    if status in (429, 503):
        answer.headers["Retry-After"] = "1"
    return answer


def _turned_away(request: Any, error: HTTPException) -> Response[Problem]:
    """What the framework refuses: unknown addresses, requests that do not match their type."""
    if error.status_code == 404:
        return _problem(404, "not_found", NOT_FOUND)
    if error.status_code == 413:
        return _problem(413, "too_long", TOO_LONG)
    if error.detail == GONE:
        return _problem(400, "unreadable", NOT_UNDERSTOOD.format("…"))  # which nobody reads any more
    if error.status_code >= 500:
        return _mistaken(request, error)
    answer = _problem(error.status_code, "unreadable", NOT_UNDERSTOOD.format(_reason(request, error)))
    answer.headers.update({name: value for name, value in (error.headers or {}).items() if name.lower() == "allow"})
    return answer


def _reason(request: Any, error: HTTPException) -> str | Words:
    """Where the request departs from its type, without an echo of what was sent."""
    first = error.extra[0] if isinstance(error.extra, list) and error.extra else {}
    told = first.get("message") if isinstance(first, dict) else None
    field = getattr(request.scope.get("route_handler"), "parsed_data_field", None)
    if field is not None and str(told).startswith("Invalid enum value"):
        key = str(first["key"])
        return ONE_OF.format(key, ", ".join(_choices(inspect.type_info(field.annotation), key)))
    return " ".join(str(part) for part in (first.get("key"), told) if part)[:200] if told else error.detail[:200]


def _choices(kind: inspect.Type, key: str) -> list[str]:
    """What may stand at such a place of a request: `seats[0].kind`."""
    for name in re.findall(r"[a-z_]+", key):
        while isinstance(kind, (inspect.ListType, inspect.VarTupleType)):
            kind = kind.item_type
        if isinstance(kind, inspect.StructType):
            kind = next(field.type for field in kind.fields if field.encode_name == name)
    kinds = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    return [str(value) for each in kinds if isinstance(each, inspect.LiteralType) for value in each.values]


def _silent_database(_: Any, error: Unavailable) -> Response[Problem]:
    log.warning("store.unavailable", reason=str(error))
    answer = _problem(503, "unavailable", UNAVAILABLE)
    answer.headers["Retry-After"] = "1"
    return answer


def _no_thought(_: Any, error: ThoughtLost) -> Response[Problem]:
    return _problem(503, error.code, error.words)


def _mistaken(_: Any, error: Exception) -> Response[Problem]:
    log.error("request.failed")
    return _problem(500, "bug", BUG)


def _too_deep(_: Any, error: RecursionError) -> Response[Problem]:
    """Only what clients send is read without a bound on how deep it is nested."""
    return _problem(400, "unreadable", TOO_DEEP)


def _problem(status: int, code: str, words: Words, field: str = "") -> Response[Problem]:
    return Response(Problem(code, words, field), status_code=status, media_type="application/json")


EXCEPTION_HANDLERS: dict[int | type[Exception], Any] = {
    Refused: _refused,
    HTTPException: _turned_away,
    Unavailable: _silent_database,
    ThoughtLost: _no_thought,
    RecursionError: _too_deep,
    Exception: _mistaken,
}


async def secure(message: Message, scope: Scope) -> None:
    """Before anything is sent: its headers. What the API answers may hold tokens, and is kept by no cache."""
    if message["type"] == "http.response.start":
        headers = MutableScopeHeaders.from_message(message)
        for name, value in SECURITY.items():
            headers[name] = value
        if "cache-control" not in headers:
            headers["Cache-Control"] = "no-store"


def same_origin(headers: Any) -> bool:
    """A page of another site must not play with the network of this browser; programs send no origin."""
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2] == headers.get("host")


async def at_the_door(request: Request[Any, Any, Any]) -> Response[None] | None:
    """Before every request: one that may change something must not come from another site. (A function that is not
    async would be called in another thread.)"""
    if request.method == "OPTIONS":  # the framework forgets all but the first method of an address
        methods = request.app.route_handler_method_map[request.scope["path_template"]]
        return Response(None, status_code=204, headers={"Allow": ", ".join(sorted(methods))})
    if request.method not in ("GET", "HEAD") and not same_origin(request.headers):
        raise Refused("other_site", OTHER_SITE)
    return None
