"""Changes the text of a policy file only where the policy changed, so that comments stay.

The reader knows where in the text every key and value is. What a policy means is compared before
and after a change, key by key; only the text of what differs is written anew, and everything else
stays as its author wrote it, letter by letter.
"""

from __future__ import annotations

import io
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import yaml

from discreet.display import safe_repr
from discreet.policy.policy_file import PolicyLoader

WIDTH = 100
"""Where lines are broken that are written anew."""

_OTHER_BREAKS = re.compile("\r(?!\n)|[\x85\u2028\u2029]")
_COMMA = re.compile(r"\s*,")
_COMMENT_BELOW = r"(?:[ \t]*\r?\n)*[ ]{%d,}#[^\n]*(?:\n|$)"


class PolicyDumper(yaml.SafeDumper):
    """Quotes whatever YAML 1.1 or 1.2 would take for something else than text."""

    def ignore_aliases(self, data: Any) -> bool:
        """Repeat a mapping that occurs twice rather than pointing at it."""
        return True


PolicyDumper.yaml_implicit_resolvers = {
    first: [*old, *PolicyLoader.yaml_implicit_resolvers.get(first, [])]
    for first, old in yaml.SafeDumper.yaml_implicit_resolvers.items()
}


def dump_policy(data: Mapping[str, Any]) -> str:
    """Plain data as the text of a policy file."""
    return yaml.dump(
        data, Dumper=PolicyDumper, sort_keys=False, allow_unicode=True, default_flow_style=None
    )


def edit_policy_text(text: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> str | None:
    """The text of a policy that meant ``before``, changed so that it means ``after``.

    None where the text cannot be changed in parts: one with aliases, say, whose parts are used
    twice. Whether the result means ``after`` is for the caller to check, by reading it.
    """
    if is_same(before, after):
        return text
    if _OTHER_BREAKS.search(text) or _has_anchors(text):
        return None
    node = PolicyLoader(text).get_single_node()
    if not isinstance(node, yaml.MappingNode):
        return None
    try:
        return _apply_changes(text, _Edit(text).change_mapping(node, before, after, False))
    except _WholeError:
        return None


def is_same(one: Any, other: Any) -> bool:
    """Whether two pieces of plain data are the same, the order of keys and the types included.

    >>> is_same({"a": 1, "b": 2}, {"b": 2, "a": 1}), is_same(1, 1.0)
    (False, False)
    """
    return repr(one) == repr(other)


def _has_anchors(text: str) -> bool:
    events = yaml.parse(text, Loader=PolicyLoader)
    return any(getattr(event, "anchor", None) is not None for event in events)


@safe_repr
class _Change(NamedTuple):
    """A piece of the text, from ``start`` up to ``end``, and what takes its place."""

    start: int
    end: int
    text: str


class _WholeError(Exception):
    """A value that cannot be changed in parts and has to be written anew as a whole."""


def _apply_changes(text: str, changes: Iterator[_Change]) -> str:
    made, reached = [], 0
    for change in sorted(changes, key=lambda one: one[:2]):
        if change.start < reached:
            raise _WholeError
        made += [text[reached : change.start], change.text]
        reached = change.end
    return "".join([*made, text[reached:]])


@safe_repr
class _Entry(NamedTuple):
    """A key with its value, or an item of a list: where it starts and ends, and its value."""

    start: int
    end: int
    value: yaml.Node


class _Edit:
    """Finds the changes of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.newline = "\r\n" if "\r\n" in text else "\n"

    def change_value(
        self, node: yaml.Node, before: Any, after: Any, in_flow: bool
    ) -> list[_Change]:
        """What makes the value at a node another: in parts if possible, else as a whole."""
        try:
            if isinstance(node, yaml.MappingNode) and _are(Mapping, before, after):
                return [*self.change_mapping(node, before, after, in_flow)]
            if isinstance(node, yaml.SequenceNode) and _are(Sequence, before, after):
                return [*self.change_list(node, before, after, in_flow)]
        except _WholeError:
            pass
        return [self.replace_value(node, after, in_flow)]

    def change_mapping(
        self,
        node: yaml.MappingNode,
        before: Mapping[str, Any],
        after: Mapping[str, Any],
        flow: bool,
    ) -> Iterator[_Change]:
        """Changes of keys; what the order of keys may mean is kept."""
        flow = flow or bool(node.flow_style)
        kept = [name for name in before if name in after]
        if kept != [name for name in after if name in before]:
            raise _WholeError
        entries = {
            key.value: _Entry(key.start_mark.index, self.find_end(value), value)
            for key, value in node.value
            if isinstance(key, yaml.ScalarNode)
        }
        only_text = all(isinstance(name, str) for name in (*before, *after))
        if len(entries) != len(node.value) or not only_text:
            raise _WholeError
        gone = [name for name in before if name not in after and name in entries]
        yield from self.remove_entries([*entries.values()], {entries[name] for name in gone}, flow)
        first = next((entry for name, entry in entries.items() if name not in gone), None)
        near: _Entry | None = None
        inserted = []
        for name, value in after.items():
            is_changed = name not in before or not is_same(before[name], value)
            if name in entries:
                near = entries[name]
                if is_changed:
                    yield from self.change_value(near.value, before.get(name), value, flow)
            elif is_changed:  # else it is meant without being written
                written = self.write_key(name, value, flow, node.start_mark.column)
                inserted.append(self.insert_entry(written, first, near, flow))
        yield from inserted

    def change_list(
        self, node: yaml.SequenceNode, before: Sequence[Any], after: Sequence[Any], flow: bool
    ) -> Iterator[_Change]:
        """Changes of items: those in the middle, between what is the same at both ends."""
        flow = flow or bool(node.flow_style)
        if len(node.value) != len(before) or not after:
            raise _WholeError
        items = [
            _Entry(start, self.find_end(item), item)
            for start, item in zip(self.find_items(node, flow), node.value, strict=True)
        ]
        shorter = min(len(before), len(after))
        first = next((n for n in range(shorter) if not is_same(before[n], after[n])), shorter)
        rest = shorter - first
        last = next((n for n in range(rest) if not is_same(before[-1 - n], after[-1 - n])), rest)
        old, new = range(first, len(before) - last), range(first, len(after) - last)
        both = min(len(old), len(new))
        for n in old[:both]:
            yield from self.change_value(items[n].value, before[n], after[n], flow)
        yield from self.remove_entries(items, {items[n] for n in old[both:]}, flow)
        near = items[first + both - 1] if first + both else None
        for n in new[both:]:
            written = self.write_item(after[n], flow, node.start_mark.column)
            yield self.insert_entry(written, items[0] if items else None, near, flow)

    # Where things are

    def find_end(self, node: yaml.Node) -> int:
        """Where a value ends; the parser has blank lines and comments below as part of it."""
        while isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
            last = node.value[-1]
            node = last[1] if isinstance(last, tuple) else last
        end: int = node.end_mark.index
        if isinstance(node, yaml.ScalarNode) and node.style in ("|", ">"):
            return len(self.text[:end].rstrip())
        return end

    def find_items(self, node: yaml.SequenceNode, flow: bool) -> Iterator[int]:
        """Where the items of a list start; outside of brackets, at the dash."""
        ended = node.start_mark.index
        for number, item in enumerate(node.value):
            start = item.start_mark.index
            if not flow and number:
                dash = f"\n{' ' * node.start_mark.column}-"
                start = self.text.rfind(dash, ended, start) + len(dash) - 1
                if start < ended:
                    raise _WholeError
            yield ended if not flow and not number else start
            ended = self.find_end(item)

    def find_line(self, entry: _Entry) -> int:
        """Where the line of an entry starts, which has to be its own."""
        start = self.text.rfind("\n", 0, entry.start) + 1
        if self.text[start : entry.start].strip(" "):
            raise _WholeError
        return start

    def find_lines_end(self, entry: _Entry) -> int:
        """Where the line after an entry starts: its comments, also those below it, are its own."""
        below = self.text.find("\n", entry.end) + 1 or len(self.text)
        column = entry.start - self.find_line(entry)
        more = re.compile(_COMMENT_BELOW % (column + 1))
        while found := more.match(self.text, below):
            below = found.end()
        return below

    def find_comments(self, entry: _Entry) -> int:
        """Where the comment starts that is right above an entry; the head of a file is not its."""
        start = self.find_line(entry)
        indent = self.text[start : entry.start]
        reached = start
        while reached:
            above = self.text.rfind("\n", 0, reached - 1) + 1
            if not self.text.startswith(f"{indent}#", above):
                return reached
            reached = above
        return start

    # What takes their place

    def remove_entries(
        self, entries: Sequence[_Entry], gone: Collection[_Entry], flow: bool
    ) -> Iterator[_Change]:
        """Entries go with the comments right above them, behind them and below them."""
        if gone and len(gone) == len(entries):
            raise _WholeError
        if not flow:
            for entry in gone:
                yield _Change(self.find_comments(entry), self.find_lines_end(entry), "")
            return
        left = [number for number, entry in enumerate(entries) if entry not in gone]
        for number, entry in enumerate(entries[: left[-1]] if left else ()):
            if entry in gone:
                yield _Change(entry.start, entries[number + 1].start, "")
        if left and left[-1] + 1 < len(entries):
            # The last ones go with the comma before them; if a comment follows that, with theirs.
            last, first = entries[left[-1]], entries[left[-1] + 1]
            if "#" not in self.text[last.end : first.start]:
                yield _Change(last.end, entries[-1].end, "")
                return
            comma = _COMMA.match(self.text, entries[-1].end)
            yield _Change(first.start, comma.end() if comma else entries[-1].end, "")

    def insert_entry(
        self, written: str, first: _Entry | None, near: _Entry | None, flow: bool
    ) -> _Change:
        """A new entry after the one ``near``, or before the ``first`` one."""
        if first is None:
            raise _WholeError
        if near is None:
            start = first.start if flow else self.find_comments(first)
            return _Change(start, start, f"{written}, " if flow else f"{written}{self.newline}")
        if flow:
            return _Change(near.end, near.end, f", {written}")
        end = self.find_lines_end(near)
        has_end = self.text[:end].endswith("\n")
        changed = f"{written}{self.newline}" if has_end else f"{self.newline}{written}"
        return _Change(end, end, changed)

    def replace_value(self, node: yaml.Node, value: Any, flow: bool) -> _Change:
        """A value that is written anew: lines of its own stay lines, what was in one line does."""
        start, end = node.start_mark.index, self.find_end(node)
        column = node.start_mark.column
        is_block = isinstance(node, yaml.CollectionNode) and not node.flow_style
        if is_block:
            # A list may be indented as far as its key, but nothing else may.
            is_list = isinstance(node, yaml.SequenceNode)
            more = 2 if is_list and not isinstance(value, list) else 0
            in_lines = isinstance(value, list | dict) and value and not flow
            written = _dump(value) if in_lines else self._write_inline(value, flow)
            return _Change(start, end, " " * more + self._indent(written, column + more))
        space = "" if start < end or self.text[start - 1 : start].isspace() else " "
        line = self.text[self.text.rfind("\n", 0, start) + 1 : start]
        indent = len(line) - len(line.lstrip(" -")) + 2
        return _Change(start, end, space + self._indent(self._write_inline(value, flow), indent))

    def write_key(self, name: str, value: Any, flow: bool, column: int) -> str:
        if flow:
            return self._write_inline({name: value}, True)[1:-1]
        return " " * column + self._indent(_dump({name: value}), column)

    def write_item(self, value: Any, flow: bool, column: int) -> str:
        if flow:
            return self._write_inline(value, True)
        return " " * column + self._indent(_dump([value]), column)

    def _write_inline(self, value: Any, flow: bool) -> str:
        """A value in brackets, or as it is; within the brackets of the file in one line."""
        return _dump([value], in_flow=True, width=10**9 if flow else WIDTH)[1:-1]

    def _indent(self, written: str, column: int) -> str:
        return written.replace("\n", self.newline + " " * column)


def _are(kind: type[Any], *values: Any) -> bool:
    return all(isinstance(one, kind) and not isinstance(one, str) for one in values)


def _dump(value: Any, in_flow: bool = False, width: int = WIDTH) -> str:
    """A list or mapping as text, in brackets or in lines of its own."""
    dumper = PolicyDumper(io.StringIO(), sort_keys=False, default_flow_style=None)
    node: Any = dumper.represent_data(value)
    node.flow_style = in_flow
    written: str = yaml.serialize(node, Dumper=PolicyDumper, allow_unicode=True, width=width)
    return written.rstrip("\n")
