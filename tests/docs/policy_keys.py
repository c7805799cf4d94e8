"""Writes the tables of ``docs/reference/policy-keys.md`` from the schema of a policy.

After a key or its description has changed: ``python -m tests.docs.policy_keys``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from discreet.policy.policy_schema import policy_schema
from tests.docs.page import ROOT

PAGE = ROOT / "docs" / "reference" / "policy-keys.md"
TABLE = re.compile(r"(<!-- table: (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)
SECTIONS = {
    "columns": "mapping of name to [column keys](#columns)",
    "require": "list of [models](#require)",
    "algorithm": "[algorithm](#algorithm)",
    "measure": "[measure](#measure)",
    "techniques": "list of [techniques](#techniques)",
    "technique": "[technique](#techniques), or a list of them",
    "profiles": "mapping of recipient to [profile](#profiles)",
    "people": "[keys of people](#people)",
    "anonymity": "number from 0 to 1, or [keys of anonymity](#anonymity)",
    "about": "[keys of about](#about)",
    "threshold": "[keys of threshold](#threshold)",
    "hierarchy": "[hierarchy](#hierarchy)",
    "replace": "[replacement](#replace)",
    "scrub": "true or false, or [keys of scrub](#scrub)",
    "records": "`keep`, `ignore`, `{cap: 5}` or `{group: [1, 2, 5]}`",
}
"""What is said of a key that has a section, or a shape, of its own."""
SHAPES = {
    "tree": "nested mapping",
    "known": "[name](../guides/hierarchies.md#known), or the settings below",
}
"""What is said of a kind of hierarchy instead of its type."""
ABSENT = {"require": "needed, unless there is `anonymity`"}
"""What is said of a key that is needed at times."""
TYPES = {
    "integer": "whole number",
    "number": "number",
    "string": "text",
    "boolean": "true or false",
    "object": "mapping",
    "array": "list",
}
NAMED = {
    "require": "model",
    "algorithm": "name",
    "measure": "name",
    "techniques": "technique",
    "replace": "replacement",
}
"""Sections of parts that a policy names, and the head of their first column."""


class Tables:
    """The tables of the page, each by its name."""

    def __init__(self, page: str) -> None:
        self.schema = policy_schema()
        self.links = dict(re.findall(r"\| \[`([\w-]+)`\]\((\S+?)\) \|", page))
        self.column = self.schema["$defs"]["ColumnPolicy"]

    def write(self, name: str) -> str:
        """One table."""
        if name in NAMED:
            return self._write_parts(name)
        if name == "hierarchy":
            return self._write_hierarchies()
        where = {
            "policy": self.schema,
            "columns": self.column,
            "people": self._find("PeoplePolicy"),
            "profiles": self._find("Profile"),
            "scrub": self._find("TextScrub"),
            "about": self._find("About"),
            "threshold": self._find("Threshold"),
            "anonymity": self.schema["properties"]["anonymity"]["anyOf"][1],
        }[name]
        heads = "| key | value | if absent | meaning |\n|---|---|---|---|\n"
        return heads + "".join(f"| {row} |\n" for row in self._list_keys(where))

    def _find(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = self.schema["$defs"][name]
        return found

    def _list_keys(self, schema: dict[str, Any]) -> Iterator[str]:
        needed = schema.get("required", ())
        for key, one in schema.get("properties", {}).items():
            absent = "needed" if key in needed else ABSENT.get(key) or write_default(one)
            value = SECTIONS.get(key) if key not in ("columns", "key") else None
            if key == "columns" and schema is self.schema:
                value = SECTIONS[key]
            told = one.get("description") or self._resolve(one)["description"]
            yield f"`{key}` | {value or self._write_type(one)} | {absent} | {told}"

    def _resolve(self, schema: dict[str, Any]) -> dict[str, Any]:
        """The definition that a schema refers to, or itself."""
        for one in (schema, *schema.get("anyOf", ())):
            if "$ref" in one:
                return self._find(one["$ref"].rpartition("/")[2])
        return schema

    def _write_type(self, schema: dict[str, Any]) -> str:
        """What may be there, in words."""
        if "$ref" in schema:
            return self._write_type(self._resolve(schema))
        if "enum" in schema or "const" in schema:
            values = schema.get("enum", [schema.get("const")])
            return ", ".join(f"`{write_value(one)}`" for one in values if one is not None)
        if "anyOf" in schema:
            found = [self._write_type(one) for one in schema["anyOf"] if one != {"type": "null"}]
            return " or ".join(dict.fromkeys(found))
        if schema.get("format") == "path":
            return "file"
        kind = schema.get("type", "any value")
        if isinstance(kind, list):
            kind = next(one for one in kind if one != "null")
        if kind == "array" and "prefixItems" in schema:
            return f"pair of {make_plural(self._write_type(schema['prefixItems'][0]))}"
        if kind == "array":
            return f"list of {make_plural(self._write_type(schema['items']))}"
        if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
            return f"mapping to {self._write_type(schema['additionalProperties'])}"
        limits = [schema.get(one) for one in ("minimum", "maximum")]
        above = f" above {schema['exclusiveMinimum']:g}" if "exclusiveMinimum" in schema else ""
        span = "" if limits[0] is None else f" from {limits[0]:g}"
        span += "" if limits[1] is None else f" to {limits[1]:,}"
        return f"{TYPES.get(kind, kind)}{above}{span}"

    def _write_parts(self, name: str) -> str:
        places = {**self.schema["properties"], **self.column["properties"]}
        found = next(one for one in find_mappings(places[name]) if one.get("maxProperties") == 1)
        head = NAMED[name]
        text = f"| {head} | parameter | value | if absent | meaning |\n|---|---|---|---|---|\n"
        for part, one in found["properties"].items():
            schema = self._resolve(one)
            link = f"[`{part}`]({self.links[part]})" if part in self.links else f"`{part}`"
            text += f"| {link} | | | | {schema['description']} |\n"
            text += "".join(f"| | {row} |\n" for row in self._list_keys(schema))
        return text

    def _write_hierarchies(self) -> str:
        found = next(find_mappings(self.column["properties"]["hierarchy"]))
        text = "| kind | setting | value | if absent | meaning |\n|---|---|---|---|---|\n"
        for kind, one in found["properties"].items():
            value = SHAPES.get(kind) or self._write_short(one)
            text += f"| `{kind}` | | {value} | | {one['description']} |\n"
            for below in one.get("anyOf", ()):
                if "$ref" in below:
                    rows = self._list_keys(self._resolve(below))
                    text += "".join(f"| | {row} |\n" for row in rows)
        return text

    def _write_short(self, schema: dict[str, Any]) -> str:
        if "anyOf" not in schema:
            return self._write_type(schema)
        return f"{self._write_type(schema['anyOf'][0])}, or the settings below"


def find_mappings(schema: Any) -> Iterator[dict[str, Any]]:
    """The mappings with named keys in a schema, outermost first."""
    if isinstance(schema, list):
        for one in schema:
            yield from find_mappings(one)
    elif isinstance(schema, dict):
        if "properties" in schema:
            yield schema
        for word in ("anyOf", "items"):
            yield from find_mappings(schema.get(word))


def make_plural(noun: str) -> str:
    """Several of them: ``list of texts`` becomes ``lists of texts``."""
    first, of, rest = noun.partition(" of ")
    return f"{first}s{of}{rest}"


def write_default(schema: dict[str, Any]) -> str:
    """What holds where a key is absent."""
    default = schema.get("default")
    return "none" if default in (None, [], {}, "") else f"`{write_value(default)}`"


def write_value(value: Any) -> str:
    """A value as YAML has it."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, str) else json.dumps(value)


def write_page(page: str) -> str:
    """The page with all tables written anew."""
    tables = Tables(page)
    return TABLE.sub(lambda found: f"{found[1]}{tables.write(found[2])}{found[3]}", page)


if __name__ == "__main__":
    PAGE.write_text(write_page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
