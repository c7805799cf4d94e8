"""What may be shown of an object or of an address: names and numbers, never a private value.

Python prints an object wherever one is looked at: at the prompt, in a notebook, in a failing test,
in a log. The repr that `dataclasses` makes prints every field, and so the cells of a table. The
classes of this package are therefore made with `dataclass` of this module, whose repr shows
numbers and the fields that are known to hold names; everything else is shown as ``...``.
"""

from __future__ import annotations

import dataclasses
import html
import re
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from dataclasses import dataclass

__all__ = [
    "dataclass",
    "find_address_kind",
    "format_count",
    "hide_credentials",
    "render_html_table",
    "safe_repr",
    "show_field",
    "show_fields",
]

Kind = TypeVar("Kind")

NAMES = frozenset({
    "algorithm", "attack", "column", "columns", "compression", "detector", "encoding", "entity",
    "file", "format", "kind", "language", "lengths", "level", "levels", "line_end", "measure",
    "measures", "method", "model", "name", "node", "preset", "quasi", "quote", "role", "scope",
    "sensitive", "separator", "style", "technique", "unit", "variant", "widths", "within",
})  # fmt: skip
"""Fields that hold names of columns, methods and files, or settings: their texts are shown."""

PRIVATE = frozenset({"age", "birth", "date", "day", "month", "value", "year", "years"})
"""Fields in which even a number is a value of somebody."""

LONGEST, MOST = 60, 8
"""Characters of one text or part that are shown, and items of one list."""


def show_fields(self: Any) -> str:
    """The repr of a class that may hold private values: its numbers and names, the rest hidden."""
    if dataclasses.is_dataclass(self):
        fields = [field.name for field in dataclasses.fields(self) if field.repr]
    elif hasattr(self, "_fields"):
        fields = self._fields
    else:
        return f"{type(self).__qualname__}({len(self)} items)"
    shown = (f"{name}={show_field(name, getattr(self, name, ...))}" for name in fields)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def safe_repr(cls: type[Kind]) -> type[Kind]:
    """A named tuple, dict or list whose repr is `show_fields`: no cell value is in it.

    >>> from typing import NamedTuple
    >>> @safe_repr
    ... class Word(NamedTuple):
    ...     text: str
    ...     start: int
    >>> Word("Ann", 4)
    Word(text=..., start=4)
    """
    cls.__repr__ = show_fields  # type: ignore[method-assign]
    return cls


if not TYPE_CHECKING:

    def dataclass(cls=None, /, *, repr=True, **more):
        """`dataclasses.dataclass`, whose repr is `show_fields`: no cell value is in it.

        >>> @dataclass(frozen=True)
        ... class Seen:
        ...     column: str
        ...     rows: int
        ...     values: tuple[str, ...]
        >>> Seen("name", 2, ("Ann", "Bob"))
        Seen(column='name', rows=2, values=...)
        """

        def make(cls):
            if repr and cls.__repr__ is object.__repr__:
                cls.__repr__ = show_fields
            return dataclasses.dataclass(cls, repr=False, **more)

        return make if cls is None else make(cls)


def show_field(name: str, value: Any) -> str:
    """One field: a number, a name, a part with its own safe repr, or that there is something."""
    match value:
        case None | bool():
            return repr(value)
        case int() | float() if name not in PRIVATE:
            return repr(value)
        case Enum():
            return repr(value.value)
        case str() if name in NAMES:
            return repr(hide_credentials(value if len(value) <= LONGEST else f"{value[:57]}..."))
        case Mapping() if name in NAMES:
            pairs = (
                f"{show_field(name, key)}: {show_field(name, item)}" for key, item in value.items()
            )
            return f"{{{_join_first(pairs, len(value))}}}"
        case tuple() | list() | frozenset() if name in NAMES or _are_parts(value):
            items = _join_first((show_field(name, item) for item in value), len(value))
            comma = "," if isinstance(value, tuple) and len(value) == 1 else ""
            return f"[{items}]" if isinstance(value, list) else f"({items}{comma})"
    if _is_part(value):
        text = repr(value)
        return text if len(text) <= LONGEST else f"{type(value).__qualname__}(...)"
    return "..."


def _join_first(items: Iterable[str], count: int) -> str:
    few = [item for item, _ in zip(items, range(MOST), strict=False)]
    return ", ".join([*few, f"... {count} in all"] if count > MOST else few)


def _is_part(value: Any) -> bool:
    """Whether it is one of our own objects, which show no value; a plain text or array may be."""
    return type(value).__module__.partition(".")[0] == "discreet" and not isinstance(value, type)


def _are_parts(values: Any) -> bool:
    return all(_is_part(value) for value in values)


def format_count(count: int, noun: str) -> str:
    """A count with its noun.

    >>> format_count(1, "row"), format_count(48842, "row")
    ('1 row', '48,842 rows')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def render_html_table(title: str, heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A short table for notebooks; every text is escaped.

    >>> render_html_table("Release", ["model"], [["<b>"]])
    '<table><caption>Release</caption><tr><th>model</th></tr><tr><td>&lt;b&gt;</td></tr></table>'
    """
    cells = ["".join(f"<th>{html.escape(head)}</th>" for head in heads)]
    cells += ["".join(f"<td>{_render_cell(cell)}</td>" for cell in row) for row in rows]
    lines = "".join(f"<tr>{line}</tr>" for line in cells)
    return f"<table><caption>{html.escape(title)}</caption>{lines}</table>"


def _render_cell(value: Any) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float():
            return f"{value:.4g}"
    return html.escape(str(value))


SCHEME = r"\b(?:jdbc:)?[A-Za-z][A-Za-z0-9+.-]+:/+"
"""How an address begins; a path loses one of the two slashes. C:/ of Windows is not one."""

_SECRET = (
    r"pass(?:word|wd|w|phrase|code)?|pwd|pw|secret|token|credentials?"
    r"|(?:api|access|account|private)[-_ ]?key(?:[-_ ]?id)?|sig|signature|auth"
)
_CREDENTIALS = (
    # user:password@, with a password that holds @ or even a blank
    (re.compile(rf"({SCHEME})(?:\S*@|[^\s/@]*:[^@\n]*\n?@)"), r"\1...@"),
    # user:password without a host, but not host:port
    (re.compile(rf"({SCHEME}[^\s/:@]+:)(?!\d+(?![^\s/?#:'\"),.;]))[^\s/@'\"]+"), r"\1..."),
    (re.compile(r"(\bjdbc:)\S*@"), r"\1...@"),
    (re.compile(r"(?<![^\s/])(['\"(]*)[^\s/:@'\"(]+:[^\s/@][^\s@]*@(?=[\w\[])"), r"\1...@"),
    # ?user=x&token=y
    (re.compile(r"([?&][\w.%-]+=)[^\s&'\"]*"), r"\1..."),
    (re.compile(rf"({SCHEME}[^\s?]*\?)(?![\w.%-]+=)[^\s'\"]+"), r"\1..."),
    # host=x password='y z', Server=x;Pwd={y};
    (
        re.compile(
            rf"(?i)(\b\w*(?:{_SECRET})\s*=\s*)(?!\.\.\.)"
            r"('(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|\{[^}]*\}|['\"][^\n]*|(?:\\.|\S)+)"
        ),
        r"\1...",
    ),
)
_DATABASES = (
    "postgres", "mysql", "mariadb", "mssql", "sqlserver", "oracle", "sqlite", "duckdb", "snowflake",
    "bigquery", "redshift", "mongodb", "clickhouse", "cockroach", "db2", "hive", "trino", "presto",
    "databricks", "jdbc", "odbc", "redis", "cassandra",
)  # fmt: skip


def hide_credentials(text: str) -> str:
    """The text without user names and passwords of addresses in it, to be shown.

    >>> hide_credentials("postgresql://ann:s3cret@db.example.org/people: there is no such file")
    'postgresql://...@db.example.org/people: there is no such file'
    >>> hide_credentials("host=db password='s3 cret' port=5432")
    'host=db password=... port=5432'
    """
    for pattern, shown in _CREDENTIALS:
        text = pattern.sub(shown, text)
    return text


def find_address_kind(path: object) -> str | None:
    """What sort of address was given for a path: a database, a web address; None for a path.

    >>> find_address_kind("postgresql://ann:s3cret@db/people"), find_address_kind("people.csv")
    ('database', None)
    """
    text = str(path).strip()
    text = re.sub(r"^[\w ]+=(?=[A-Za-z][\w+.-]+:/)", "", text)  # COLUMN=ADDRESS
    if re.match(rf"{SCHEME}", text) or re.match(r"jdbc:", text):
        return "database" if text.casefold().startswith(_DATABASES) else "web"
    pairs = re.findall(r"(?:^|[\s;])([A-Za-z][\w ]*?)\s*=", text)
    known = {"host", "hostaddr", "server", "data source", "dbname", "database", "dsn", "driver",
             "password", "pwd", "user", "uid", "user id"}  # fmt: skip
    return "database" if known & {key.strip().casefold() for key in pairs} else None
