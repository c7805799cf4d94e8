"""Reads a policy file as it was meant: keys stay text, nothing is guessed, lines are known."""

from __future__ import annotations

import re
from dataclasses import field
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from yaml.scanner import ScannerError

from discreet.display import dataclass, safe_repr
from discreet.errors import PolicyFileError, PolicyProblem
from discreet.input_file import (
    MEGABYTE,
    POLICY,
    RAISED,
    UnfitFileError,
    find_largest_size,
    read_input,
)

Key = tuple[str | int, ...]

ENTRIES = 50_000
"""Entries for each megabyte that a policy may have; reading these takes a few seconds."""

DEEPEST = 100
"""How deep lists and mappings may be nested, aliases written out."""

LONGEST_KEY, NAMES_LEVEL = 1024, 2
"""Characters of a key in YAML, and the brackets around the deepest name of a column."""


@dataclass(frozen=True)
class Source:
    """Where a policy was read from, so that messages name file and line, and comments are kept.

    Two policies that say the same are equal wherever they came from: no field is compared.
    """

    file: str = field(default="policy", compare=False)
    lines: dict[Key, int] = field(default_factory=dict, compare=False, repr=False)
    text: str = field(default="", compare=False, repr=False)
    folder: Path = field(default=Path(), compare=False, repr=False)

    def make_problem(self, key: Key, what: str) -> PolicyProblem:
        """A mistake at a key, with the line of the key or of the nearest key above it."""
        near = next((key[:n] for n in range(len(key), 0, -1) if key[:n] in self.lines), None)
        return PolicyProblem(spell_key(key), what, self.lines[near] if near else None)


def spell_key(key: Key) -> str:
    """A key as people write it: ``columns.age.role``, ``require[0].k_anonymity.k``."""
    text = ""
    for part in key:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


class PolicySizeError(yaml.YAMLError):
    """A text that would become too much, or too deep, with all its aliases written out."""

    def __init__(self, what: str) -> None:
        self.what = what
        super().__init__(what)


@safe_repr
class _Extent(NamedTuple):
    """How many entries a node has with its aliases written out, and how deep they go."""

    entries: int
    depth: int


class PolicyLoader(yaml.SafeLoader):
    """YAML 1.2 scalars: ``no`` and ``02138`` and dates are text, ``1e-3`` is a number.

    Keys of any length: YAML stops at 1,024 characters, but columns may have longer names. A text
    of a few lines can stand for billions of entries through aliases of aliases, so these are
    counted while the text is read, as if each alias were written out.
    """

    def __init__(self, stream: Any) -> None:
        super().__init__(stream)
        self._extents: dict[int, _Extent] = {}
        self._composed = 0
        self._most = ENTRIES * find_largest_size(POLICY) // MEGABYTE

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """Compose a node, and stop where the whole would be too large."""
        is_alias = self.check_event(yaml.AliasEvent)
        node: yaml.Node | None = super().compose_node(parent, index)
        self._composed += 1
        if node is None or is_alias:
            return node
        extent = self._measure(node)
        if max(extent.entries, self._composed) > self._most:
            raise PolicySizeError(
                f"it has more than {self._most:,} entries, aliases written out. If they are all "
                f"meant, allow more with the environment variable {RAISED} ({ENTRIES:,} for each "
                "megabyte)."
            )
        if extent.depth > DEEPEST:
            raise PolicySizeError("brackets or lists are nested too deeply.")
        self._extents[id(node)] = extent
        return node

    def _measure(self, node: yaml.Node) -> _Extent:
        if isinstance(node, yaml.MappingNode):
            below = [part for pair in node.value for part in pair]
        else:
            below = node.value if isinstance(node, yaml.SequenceNode) else []
        itself = _Extent(1, 0)  # an alias to a node that is not complete yet
        found = [self._extents.get(id(one), itself) for one in below]
        entries = 1 + sum(one.entries for one in found)
        return _Extent(entries, 1 + max((one.depth for one in found), default=0))

    def stale_possible_simple_keys(self) -> None:
        """Forget what might have been a key: when its line ends, or deep in brackets if long."""
        if self.flow_level > DEEPEST:
            raise PolicySizeError("brackets or lists are nested too deeply.")
        for level, key in list(self.possible_simple_keys.items()):
            long = self.index - key.index > LONGEST_KEY and level > NAMES_LEVEL
            if key.line != self.line or long:
                if key.required:
                    mark, what = self.get_mark(), "could not find expected ':'"
                    raise ScannerError("while scanning a simple key", key.mark, what, mark)
                del self.possible_simple_keys[level]


_PLAIN = {
    "bool": (r"true|True|TRUE|false|False|FALSE", "tTfF"),
    "int": (r"[-+]?(0|[1-9][0-9]*)", "-+0123456789"),
    "float": (
        r"[-+]?(\.[0-9]+|(0|[1-9][0-9]*)(\.[0-9]*)?)([eE][-+]?[0-9]+)?"
        r"|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)",
        "-+0123456789.",
    ),
    "null": (r"~|null|Null|NULL|", "~nN\0"),
    "merge": (r"<<", "<"),
}
PolicyLoader.yaml_implicit_resolvers = {}
for _tag, (_pattern, _first) in _PLAIN.items():
    PolicyLoader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_tag}",
        re.compile(rf"^(?:{_pattern})$"),
        ["" if letter == "\0" else letter for letter in _first],
    )


def read_policy(path: Path) -> tuple[dict[str, Any], Source]:
    """Read a policy file into plain data, and its text with the line of every key."""
    text = _read_text(path, path.name)
    data, lines = parse_policy(text, path.name)
    return data, Source(path.name, lines, text, path.parent)


def parse_policy(text: str, file: str) -> tuple[dict[str, Any], dict[Key, int]]:
    """The plain data of a policy and the line of every key; messages name the ``file``."""
    try:
        node = PolicyLoader(text).get_single_node()
    except RecursionError:
        raise PolicyFileError(file, "brackets or lists are nested too deeply.") from None
    except PolicySizeError as error:
        raise PolicyFileError(file, error.what) from None
    except yaml.MarkedYAMLError as error:
        raise PolicyFileError(file, _explain_syntax(error), _find_line(error)) from None
    except yaml.YAMLError:
        raise PolicyFileError(file, "this is not text; a policy is a YAML text file.") from None
    if node is None:
        raise PolicyFileError(file, "the policy is empty; it needs 'columns' and 'require'.")
    if not isinstance(node, yaml.MappingNode):
        raise PolicyFileError(
            file, "this is not a policy: a policy starts with keys such as 'columns:'."
        )
    reading = _Reading(file)
    data = reading.read_value(node, ())
    return data, reading.lines


def _read_text(path: Path, file: str) -> str:
    try:
        return read_input(path, POLICY).decode("utf-8-sig")
    except UnfitFileError as error:
        what = f"{error.what}. {error.fix}"
    except FileNotFoundError:
        what = f"no such file in {path.absolute().parent}. Check the path."
    except PermissionError:
        what = "you do not have permission to read this file. Check its permissions."
    except UnicodeDecodeError:
        what = "the file is not UTF-8 text. Save it as UTF-8. Or is this the data file?"
    except OSError as error:
        what = f"the file cannot be read ({error.strerror})."
    raise PolicyFileError(file, what) from None


def _find_line(error: yaml.MarkedYAMLError) -> int | None:
    mark = error.problem_mark or error.context_mark
    return mark.line + 1 if mark else None


def _explain_syntax(error: yaml.MarkedYAMLError) -> str:
    """What is wrong in our own words: the parser's would quote the file, which may be data."""
    problem = error.problem or ""
    if "'\\t'" in problem:
        return "YAML does not allow tabs here; use spaces."
    if "but found another document" in problem:
        return "the file holds more than one document; remove the second '---'."
    if "undefined alias" in problem:
        return "an alias (*name) has no anchor (&name) before it; put the text in quotes."
    if "mapping values are not allowed" in problem:
        return "there is a ':' where none is expected; check indentation, or use quotes."
    column = error.problem_mark.column + 1 if error.problem_mark else 1
    return f"not valid YAML at character {column}; check brackets, quotes and indentation."


class _Reading:
    """Turns the nodes of one file into plain data, once each, and notes the lines."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.loader = PolicyLoader("")
        self.lines: dict[Key, int] = {}
        self.done: dict[int, Any] = {}
        self.open: set[int] = set()

    def read_value(self, node: yaml.Node, key: Key) -> Any:
        """The value at a node; a node used twice through an alias is read once."""
        if id(node) in self.done:
            return self.done[id(node)]
        line = node.start_mark.line + 1
        if id(node) in self.open:
            raise PolicyFileError(self.file, f"{spell_key(key)}: an alias refers to itself.", line)
        self.open.add(id(node))
        self.lines.setdefault(key, line)
        if isinstance(node, yaml.MappingNode):
            value: Any = self.read_mapping(node, key)
        elif isinstance(node, yaml.SequenceNode):
            value = [self.read_value(item, (*key, n)) for n, item in enumerate(node.value)]
        else:
            value = self.read_scalar(node, key)
        self.done[id(node)] = value
        return value

    def read_mapping(self, node: yaml.MappingNode, key: Key) -> dict[str, Any]:
        """A mapping whose keys are the text that was written; merged keys give way to its own."""
        merged: dict[str, Any] = {}
        own: dict[str, Any] = {}
        for name_node, value_node in node.value:
            line = name_node.start_mark.line + 1
            if name_node.tag == "tag:yaml.org,2002:merge":
                merged = {**self.read_merged(value_node, key, line), **merged}
                continue
            if not isinstance(name_node, yaml.ScalarNode):
                raise PolicyFileError(self.file, "a key must be plain text.", line)
            name = name_node.value
            here = (*key, name)
            if name in own:
                what = f"{spell_key(here)}: given twice, first in line {self.lines[here]}."
                raise PolicyFileError(self.file, what + _explain_twice(key), line)
            self.lines[here] = line
            own[name] = self.read_value(value_node, here)
        return {**merged, **own}

    def read_merged(self, node: yaml.Node, key: Key, line: int) -> dict[str, Any]:
        """What ``<<: *name`` brings in."""
        nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
        together: dict[str, Any] = {}
        for one in nodes:
            brought = self.read_value(one, (*key, "<<"))
            if not isinstance(brought, dict):
                raise PolicyFileError(self.file, "'<<' must name a mapping.", line)
            together = {**brought, **together}
        return together

    def read_scalar(self, node: yaml.Node, key: Key) -> Any:
        """Text, number, true, false or nothing."""
        try:
            return self.loader.construct_object(node)
        except (yaml.YAMLError, ValueError):
            what = f"{spell_key(key)}: the tag or number is not understood; put it in quotes."
            raise PolicyFileError(self.file, what, node.start_mark.line + 1) from None


def _explain_twice(parent: Key) -> str:
    if parent == ("columns",):
        return " A column has one role: quasi or sensitive, not both. Remove one."
    return " Remove one of the two."
