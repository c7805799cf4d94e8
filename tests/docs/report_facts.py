"""Writes the tables of ``docs/reference/report-facts.md`` from the schema of a report's facts.

After a field or its description has changed: ``python -m tests.docs.report_facts``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from discreet.pipeline.description.facts import report_schema
from tests.docs.page import ROOT

PAGE = ROOT / "docs" / "reference" / "report-facts.md"
HEAD = """\
# Facts of a report

What a [report](../guides/report.md) says, as JSON: `discreet report ... --json` prints it,
`facts()` in Python returns it, and the page contains it. `discreet report --schema` prints the
schema that these tables are made from. Fields may be added under the same `format`; none is removed
and none changes its meaning. The edition for [outside](../guides/report.md#two-editions) has null
or an empty list where something stays inside.
"""
TYPES = {
    "integer": "whole number",
    "number": "number",
    "string": "text",
    "boolean": "true or false",
    "object": "mapping",
}


def write_page() -> str:
    """The page: the facts as a whole, then each part of them."""
    schema = report_schema()
    parts = [HEAD, "\n## Facts\n\n", *_write_table(schema)]
    for name, part in schema["$defs"].items():
        told = part["description"].replace("``", "`")
        parts += [f"\n## {name}\n\n{told}\n\n", *_write_table(part)]
    return "".join(parts)


def _write_table(schema: dict[str, Any]) -> Iterator[str]:
    yield "| key | value | meaning |\n|---|---|---|\n"
    for key, one in schema["properties"].items():
        yield f"| `{key}` | {write_type(one)} | {one['description']} |\n"


def write_type(schema: dict[str, Any]) -> str:
    """What may be there, in words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.casefold()})"
    if "anyOf" in schema:
        return " or ".join(write_type(one) for one in schema["anyOf"])
    if "enum" in schema or "const" in schema:
        return ", ".join(f"`{one}`" for one in schema.get("enum", [schema.get("const")]))
    kind = schema.get("type")
    if kind == "array":
        return f"list of {write_type(schema['items'])}" if "items" in schema else "pair of texts"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"mapping to {write_type(schema['additionalProperties'])}"
    if kind == "number" and schema.get("maximum") == 1:
        return "number from 0 to 1"
    return "null" if kind == "null" else TYPES[str(kind)]


if __name__ == "__main__":
    PAGE.write_text(write_page(), encoding="utf-8")
