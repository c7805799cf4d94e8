"""The text of a policy that is being written, changed key by key with its comments kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import cached_property
from pathlib import Path
from typing import Any

from discreet.display import dataclass
from discreet.errors import ArgumentError, PolicyError, did_you_mean
from discreet.hierarchy.spec import write_spec
from discreet.input_file import refuse_address
from discreet.policy.keys import ROLE_SYNONYMS
from discreet.policy.messages import add_article
from discreet.policy.policy import Policy
from discreet.policy.policy_edit import dump_policy, edit_policy_text, is_same
from discreet.policy.policy_file import parse_policy, read_policy
from discreet.policy.policy_text import write_policy_text
from discreet.table.table import Role

_EMPTY = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]*(?:#[^\n]*)?")

ONLY_FOR = {
    "hierarchy": (Role.quasi, Role.sensitive),
    "weight": (Role.quasi,),
    "scrub": (Role.text,),
    "replace": (Role.identifier,),
}
"""Keys of a column that go with some roles only."""

Data = dict[str, Any]


@dataclass(frozen=True)
class PolicyText:
    """The text of a policy and its edits; each gives a new text, the old one stays.

    The text need not be a policy yet: ``problems`` says what is wrong, by key and line, and
    ``policy`` is there as soon as nothing is. Only what changes is written anew, so comments and
    layout stay, except where aliases make parts of the text stand for each other.

    >>> text = PolicyText("# Ages.\\ncolumns: {age: {role: quasi}}\\n")
    >>> [(one["key"], one["line"]) for one in text.problems]
    [('require', None)]
    >>> text = text.add_promise({"k_anonymity": {"k": 5}}).set_hierarchy("age", {"intervals": [5]})
    >>> print(text, end="")
    # Ages.
    columns: {age: {role: quasi, hierarchy: {intervals: [5]}}}
    require:
    - k_anonymity: {k: 5}
    >>> text.policy.quasi
    ('age',)
    """

    text: str
    file: str = "policy"
    folder: str | Path = "."

    def __str__(self) -> str:
        return self.text

    @classmethod
    def load(cls, path: str | Path) -> PolicyText:
        """The text of a policy file; paths in it are relative to its folder."""
        refuse_address(path, "policy")
        _, source = read_policy(Path(path))
        return cls(source.text, source.file, source.folder)

    @classmethod
    def of(cls, policy: Policy) -> PolicyText:
        """The text of a policy, with the comments of the file that it was read from."""
        folder = policy.source.folder
        return cls(policy.to_yaml(folder), policy.file, folder)

    @property
    def data(self) -> Data:
        """The plain data that is written here; of a text without any, nothing."""
        return {} if _EMPTY.fullmatch(self.text) else parse_policy(self.text, self.file)[0]

    @cached_property
    def policy(self) -> Policy:
        """What the text says; raises a PolicyError that names each mistake by key and line."""
        return Policy.parse(self.text, self.file, self.folder)

    @cached_property
    def problems(self) -> tuple[dict[str, Any], ...]:
        """Each mistake as plain data: the key, its line where it is known, and what is wrong."""
        try:
            _ = self.policy
        except PolicyError as error:
            return tuple(
                {"key": one.key, "what": one.what, "line": one.line} for one in error.problems
            )
        return ()

    def save(self, path: str | Path, *, replace: bool = False) -> None:
        """Write the text to a file, whole or not at all, whether or not it is a policy yet.

        Its paths stay as they are written: save it in its folder.
        """
        refuse_address(path, "policy")
        write_policy_text(Path(path), self.text, replace)

    # Columns

    def set_role(self, column: str, role: str | Role) -> PolicyText:
        """Give a column a role; what does not go with that role is taken away.

        A column that the text does not have is added.
        """
        meant = ROLE_SYNONYMS.get(str(role).casefold(), str(role))
        if meant not in [one.value for one in Role]:
            hint = did_you_mean(meant, [one.value for one in Role])
            raise ArgumentError("role", f"'{role}' is not a role", hint)
        named = Role(meant)

        def edit(data: Data) -> None:
            columns = _open_mapping(data, "columns")
            said = columns.get(column)
            said = said if isinstance(said, dict) else {}
            kept = {
                key: one
                for key, one in said.items()
                if key not in ONLY_FOR or named in ONLY_FOR[key]
            }
            columns[column] = kept | {"role": named.value} if "role" in kept else {
                "role": named.value,
                **kept,
            }  # fmt: skip

        return self._edit(edit)

    def set_hierarchy(self, column: str, hierarchy: Any) -> PolicyText:
        """Give a column a hierarchy, as a policy writes it or as a builder; None takes it away."""
        if hasattr(hierarchy, "build"):
            hierarchy = write_spec(hierarchy, Path(self.folder))
        return self.set_column(column, hierarchy=hierarchy)

    def set_column(self, column: str, **said: Any) -> PolicyText:
        """Set keys of a column that the text has; None takes a key away."""

        def edit(data: Data) -> None:
            columns = _open_mapping(data, "columns")
            _require_column(column, columns)
            columns[column] = _merge(columns[column], said)

        return self._edit(edit)

    def remove_column(self, column: str) -> PolicyText:
        """Take a column out: it is not released then. Promises that name it stay as they are."""

        def edit(data: Data) -> None:
            columns = _open_mapping(data, "columns")
            _require_column(column, columns)
            del columns[column]

        return self._edit(edit)

    # Promises

    def add_promise(self, promise: Mapping[str, Any]) -> PolicyText:
        """Promise something more, such as ``{"k_anonymity": {"k": 5}}``."""
        return self._edit(lambda data: _open_list(data, "require").append(dict(promise)))

    def change_promise(self, number: int, promise: Mapping[str, Any]) -> PolicyText:
        """Put another promise in the place of one; they are numbered from 0."""

        def edit(data: Data) -> None:
            _find_promises(data, number)[number] = dict(promise)

        return self._edit(edit)

    def remove_promise(self, number: int) -> PolicyText:
        """Promise this no longer."""

        def edit(data: Data) -> None:
            del _find_promises(data, number)[number]

        return self._edit(edit)

    # Everything else

    def set(self, key: str, value: Any) -> PolicyText:
        """Set a key of the policy, such as ``suppress``, ``algorithm``, ``measure`` or ``about``.

        None takes it away, so that its default holds.
        """

        def edit(data: Data) -> None:
            changed = _merge(data, {key: value})
            data.clear()
            data.update(changed)

        return self._edit(edit)

    def _edit(self, edit: Callable[[Data], None]) -> PolicyText:
        """The text that means what ``edit`` makes of the plain data."""
        before = self.data
        after = deepcopy(before)
        edit(after)
        _require_plain(after)
        if not before:
            head = self.text if not self.text or self.text.endswith("\n") else f"{self.text}\n"
            return PolicyText(head + dump_policy(after), self.file, self.folder)
        text = edit_policy_text(self.text, before, after)
        if text is None or not _means(text, after):
            text = dump_policy(after)
        return PolicyText(text, self.file, self.folder)


def _means(text: str, data: Data) -> bool:
    try:
        return is_same(parse_policy(text, "policy")[0], data)
    except PolicyError:
        return False


def _merge(said: Any, changes: Mapping[str, Any]) -> Data:
    """A mapping with some keys set, or taken away where they are None."""
    known = dict(said) if isinstance(said, Mapping) else {}
    return {key: one for key, one in (known | dict(changes)).items() if one is not None}


def _open_mapping(data: Data, key: str) -> Data:
    """What is at a key, which is a mapping from now on."""
    if not isinstance(data.get(key), dict):
        data[key] = {}
    found: Data = data[key]
    return found


def _open_list(data: Data, key: str) -> list[Any]:
    if not isinstance(data.get(key), list):
        data[key] = []
    found: list[Any] = data[key]
    return found


def _require_column(column: str, columns: Mapping[str, Any]) -> None:
    if column not in columns:
        what = f"the policy has no column '{column}'"
        raise ArgumentError("column", what, did_you_mean(column, columns))


def _find_promises(data: Data, number: int) -> list[Any]:
    promises = _open_list(data, "require")
    if not 0 <= number < len(promises):
        what = f"there are {len(promises)} promises, numbered from 0"
        raise ArgumentError("number", what, "Give the number of one of them.", f"{number}")
    return promises


def _require_plain(value: Any) -> None:
    """Refuse what no policy file can hold."""
    match value:
        case None | bool() | int() | float() | str():
            return
        case Mapping():
            for one in (*value, *value.values()):
                _require_plain(one)
        case list() | tuple():
            for one in value:
                _require_plain(one)
        case _:
            what = f"{add_article(type(value).__name__)} cannot be written into a policy file"
            raise ArgumentError("value", what, "Give texts, numbers, lists and mappings.")
