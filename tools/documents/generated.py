"""Documents that the code writes about itself, as Markdown: the public names, REST, and the messages of programs."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any, get_args

from quincunx.match import wire

ROOT = Path(__file__).resolve().parent.parent.parent
OPENAPI = ROOT / "web" / "src" / "lib" / "api" / "openapi.json"
PROTOCOL = ROOT / "docs" / "protocol.schema.json"

MODULES = (
    "quincunx",
    "quincunx.match",
    "quincunx.players",
    "quincunx.envs",
    "quincunx.envs.encoding",
    "quincunx.envs.parquet",
)

MESSAGES = {
    "To the server, at a table": wire.ToServer,
    "To whoever sits or watches": wire.ToClient,
    "To an arena": wire.ToArena,
    "To an entrant of an arena": wire.FromArena,
}


def anchor(heading: str) -> str:
    """As the usual hosts of repositories name headings."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def api() -> str:
    """Every public name with its signature and its docstring, whose examples the tests run."""
    lines = ["# Python: the public names", "", "Every example on this page is run by the tests.", ""]
    seen: set[tuple[str, int]] = set()
    for name in MODULES:
        module = import_module(name)
        lines += [f"## `{name}`", "", _text(module), ""]
        for member in names(module):
            value = getattr(module, member)
            if (member, id(value)) in seen:
                lines += [f"[`{member}`](#{anchor(member)}) is the same.", ""]
            else:
                lines += _member(member, value)
            seen.add((member, id(value)))
    return "\n".join(lines)


def names(module: Any) -> list[str]:
    listed = getattr(module, "__all__", None) or [
        name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__
    ]
    return [name for name in listed if not name.startswith("_")]


def _member(name: str, value: Any) -> Iterator[str]:
    if not (inspect.isclass(value) or callable(value)):
        yield from (f"### `{name}`", "")
        yield from (
            [f"- `{key}`: {said.en}" for key, said in value.items()] if isinstance(value, Mapping) else [f"`{value!r}`"]
        )
        yield ""
        return
    yield from (f"### `{name}`", "", "```python", f"{name}{_signature(value)}", "```", "", _text(value), "")
    if inspect.isclass(value) and not issubclass(value, Exception):
        for attribute, inside in members(value):
            call = _signature(getattr(value, attribute)) if not isinstance(inside, property | cached_property) else ""
            yield f"- **`{attribute}{call}`** — {_paragraph(documented(inside))}"
        yield ""


def _signature(value: Any) -> str:
    try:
        said = str(inspect.signature(value))
    except (TypeError, ValueError):
        return "(…)"
    said = re.sub(r"""(: |-> )(["'])(.*?)\2""", r"\1\3", said)  # annotations are texts
    said = re.sub(r"\bquincunx\.[\w.]+\.(\w+)", r"\1", said)
    return said.replace("self, ", "").replace("(self)", "()")


def _text(value: Any) -> str:
    """A docstring as Markdown: what is indented is a drawing or an example."""
    paragraphs = re.split(r"\n\s*\n", documented(value))
    return "\n\n".join(_example(each) for each in paragraphs)


def documented(value: Any) -> str:
    """Its own docstring; what it would inherit is about something else."""
    own = vars(value).get("__doc__") if inspect.isclass(value) else getattr(value, "__doc__", None)
    return inspect.cleandoc(own or "")


def members(value: type) -> Iterator[tuple[str, Any]]:
    """What one calls or asks of a class, as it stands in it."""
    for name, inside in vars(value).items():
        if not name.startswith("_") and isinstance(inside, FunctionType | property | cached_property | classmethod):
            yield name, inside


def _example(paragraph: str) -> str:
    if paragraph.startswith(">>>"):
        return f"```python\n{paragraph}\n```"
    if all(line.startswith("    ") or not line for line in paragraph.splitlines()):
        return f"```text\n{inspect.cleandoc(paragraph)}\n```"
    return _escaped(paragraph)


def _paragraph(doc: str) -> str:
    return _escaped(" ".join(re.split(r"\n\s*\n", doc)[0].split()))


def _escaped(text: str) -> str:
    return text.replace("<", "\\<").replace("*", "\\*") if "`" not in text else text


# -- REST and messages ----------------------------------------------------------------------------------------------


def rest() -> str:
    """Every address of a server, from the schema that it tells itself."""
    schema = json.loads(OPENAPI.read_text("utf-8"))
    lines = [
        "# REST: the addresses of a server", "",
        "A running server tells the same at `/schema`. What is refused is a `Problem`: a stable code, and a sentence "
        "in both languages.", "",
    ]  # fmt: skip
    for path, methods in sorted(schema["paths"].items()):
        for method, said in methods.items():
            lines += _address(method.upper(), path, said)
    lines += ["## Structures", ""]
    used = _used(schema["paths"], schema["components"]["schemas"])
    lines += [line for name in sorted(used) for line in _structure(name, schema["components"]["schemas"][name])]
    return "\n".join(lines)


def _address(method: str, path: str, said: dict[str, Any]) -> Iterator[str]:
    yield from (f"## {method} {path}", "", said.get("description") or said.get("summary", ""), "")
    for parameter in said.get("parameters", ()):
        must = "" if parameter.get("required") else ", optional"
        yield f"- `{parameter['name']}` ({parameter['in']}{must}): {_kind(parameter['schema'])}"
    body = said.get("requestBody", {}).get("content", {}).get("application/json")
    if body:
        yield f"- body: {_kind(body['schema'])}"
    told: dict[str, list[str]] = {}
    for status, answer in said.get("responses", {}).items():
        content = answer.get("content", {}).get("application/json")
        told.setdefault(_kind(content["schema"]) if content else answer.get("description", ""), []).append(status)
    yield from (f"- {', '.join(statuses)}: {what}" for what, statuses in told.items())
    yield ""


def messages() -> str:
    """Every message between a server and a program, from the shipped schema."""
    structures = json.loads(PROTOCOL.read_text("utf-8"))["components"]["schemas"]
    lines = [
        "# Messages of programs: every field", "",
        "One message a line, or a frame of the WebSocket, JSON. How a session goes is told in [Bots](../bots.en.md); "
        "the same as JSON Schema: [protocol.schema.json](../protocol.schema.json). A program on its own computer needs "
        "`Play` and `Ask`, and hears `Welcome`, `Update`, `Accepted` and `Refused`.", "",
    ]  # fmt: skip
    told = set()
    for heading, union in MESSAGES.items():
        lines += [f"## {heading}", ""]
        for name in (each.__name__ for each in get_args(union)):
            told.add(name)
            lines += _structure(name, structures[name], 3)
    lines += ["## What messages are made of", ""]
    for name in sorted(set(structures) - told):
        lines += _structure(name, structures[name], 3)
    return "\n".join(lines)


def _structure(name: str, said: dict[str, Any], level: int = 2) -> Iterator[str]:
    yield from ("#" * max(level, 2) + f" {name}", "")
    if said.get("description"):
        yield from (" ".join(said["description"].split()), "")
    if "enum" in said:
        yield from (_kind(said), "")
    properties = said.get("properties", {})
    if properties:
        yield from ("| field | type | |", "|---|---|---|")
        for field, kind in properties.items():
            must = "" if field in said.get("required", ()) else "optional"
            yield f"| `{field}` | {_kind(kind)} | {' '.join(kind.get('description', must).split())} |"
        yield ""


def _kind(schema: Any) -> str:
    if isinstance(schema, bool):  # of a tuple: what comes after its members
        return "anything"
    if "prefixItems" in schema:
        return f"[{', '.join(_kind(each) for each in schema['prefixItems'])}]"
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{anchor(name)})"
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " or ".join(_kind(each) for each in schema[key])
    if "enum" in schema or "const" in schema:
        return ", ".join(f"`{value}`" for value in schema.get("enum", [schema.get("const")]))
    kind = schema.get("type", "anything")
    if kind == "array":
        return f"list of {_kind(schema['items'])}" if "items" in schema else "list"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_kind(schema['additionalProperties'])}"
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _used(found: Any, structures: dict[str, Any]) -> set[str]:
    """The structures that something names, and those that they name."""
    names = {name for name in re.findall(r'#/components/schemas/([^/"]+)"', json.dumps(found)) if name in structures}
    while True:
        more = names | {
            name
            for each in names
            for name in re.findall(r'#/components/schemas/([^/"]+)"', json.dumps(structures[each]))
        }
        if more == names:
            return names
        names = more


PAGES: dict[str, Callable[[], str]] = {"generated/api": api, "generated/rest": rest, "generated/messages": messages}
