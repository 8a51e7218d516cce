"""Documents that the code writes about itself, as Markdown: the public names, REST, and the messages of programs."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

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


def anchor(heading: str) -> str:
    """As the usual hosts of repositories name headings."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def api() -> str:
    """Every public name with its signature and its docstring, whose examples the tests run."""
    lines = ["# Python: the public names", "", "Every example on this page is run by the tests.", ""]
    for name in MODULES:
        module = import_module(name)
        lines += [f"## `{name}`", "", _text(module), ""]
        for member in _names(module):
            lines += _member(f"{member}", getattr(module, member))
    return "\n".join(lines)


def _names(module: Any) -> list[str]:
    listed = getattr(module, "__all__", None) or [
        name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__
    ]
    return [name for name in listed if not name.startswith("_")]


def _member(name: str, value: Any) -> Iterator[str]:
    if not (inspect.isclass(value) or callable(value)):
        yield from (f"### `{name}`", "", f"`{value!r}`", "")
        return
    yield from (f"### `{name}`", "", "```python", f"{name}{_signature(value)}", "```", "", _text(value), "")
    if inspect.isclass(value) and not issubclass(value, Exception):
        for attribute, inside in vars(value).items():
            if attribute.startswith("_") or not (doc := inspect.getdoc(inside)):
                continue
            call = _signature(inside) if callable(inside) else ""
            yield from (f"- **`{attribute}{call}`** — {_paragraph(doc)}",)
        yield ""


def _signature(value: Any) -> str:
    try:
        said = str(inspect.signature(value))
    except (TypeError, ValueError):
        return "(…)"
    said = re.sub(r"'([^']*)'", lambda found: found[1] if "." in found[1] or "[" in found[1] else found[0], said)
    return said.replace("self, ", "").replace("(self)", "()")


def _text(value: Any) -> str:
    """A docstring as Markdown: what is indented is a drawing or an example."""
    doc = inspect.getdoc(value) or ""
    paragraphs = re.split(r"\n\s*\n", doc)
    return "\n\n".join(_example(each) for each in paragraphs)


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
    for status, answer in said.get("responses", {}).items():
        content = answer.get("content", {}).get("application/json")
        yield f"- {status}: {_kind(content['schema']) if content else answer.get('description', '')}"
    yield ""


def messages() -> str:
    """Every message between a server and a program, from the shipped schema."""
    schema = json.loads(PROTOCOL.read_text("utf-8"))
    structures = schema["components"]["schemas"]
    roots = [each["$ref"].rpartition("/")[2] for each in schema["anyOf"]]
    lines = [
        "# Messages of programs: every field", "",
        "One message a line, JSON. How a session goes is told in [Bots](../bots.en.md); the same as JSON Schema: "
        "[protocol.schema.json](../protocol.schema.json).", "",
    ]  # fmt: skip
    for name in roots:
        lines += _structure(name, structures[name])
    lines += ["## What messages are made of", ""]
    for name in sorted(set(structures) - set(roots)):
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
