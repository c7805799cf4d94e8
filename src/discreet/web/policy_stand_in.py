"""A stand-in for discreet.PolicyText, with the part of it that the core needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import discreet
from discreet.errors import PolicyError
from discreet.policy.policy_edit import dump_policy, edit_policy_text
from discreet.policy.policy_file import parse_policy


class PolicyText:
    def __init__(self, text: str, file: str = "policy.yaml", folder: Any = ".") -> None:
        self.text, self.file, self.folder = text, file, Path(folder)

    def __str__(self) -> str:
        return self.text

    @classmethod
    def load(cls, path: Any) -> "PolicyText":
        policy = discreet.Policy.load(path)
        return cls(policy.source.text, Path(path).name, Path(path).parent)

    @property
    def policy(self) -> Any:
        return discreet.Policy.parse(self.text, self.file, self.folder)

    @property
    def problems(self) -> list[dict[str, Any]]:
        try:
            self.policy
        except PolicyError as error:
            return [one._asdict() for one in error.problems]
        return []

    @property
    def data(self) -> dict[str, Any]:
        return parse_policy(self.text, self.file)[0]

    def _with(self, after: dict[str, Any]) -> "PolicyText":
        text = edit_policy_text(self.text, self.data, after)
        return PolicyText(dump_policy(after) if text is None else text, self.file, self.folder)

    def set_role(self, column: str, role: str) -> "PolicyText":
        data = self.data
        columns = dict(data.get("columns") or {})
        old = dict(columns.get(column) or {})
        if role != "quasi":
            old = {
                k: v for k, v in old.items() if k not in ("hierarchy", "weight", "scrub", "replace")
            }
        columns[column] = {**old, "role": role}
        return self._with({**data, "columns": columns})

    def set_column(self, column: str, **keys: Any) -> "PolicyText":
        data = self.data
        columns = dict(data.get("columns") or {})
        columns[column] = {**columns.get(column, {}), **keys}
        return self._with({**data, "columns": columns})

    def remove_column(self, column: str) -> "PolicyText":
        data = self.data
        columns = {k: v for k, v in data["columns"].items() if k != column}
        return self._with({**data, "columns": columns})

    def set(self, key: str, value: Any) -> "PolicyText":
        return self._with({**self.data, key: value})
