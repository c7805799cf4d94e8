"""What an entry of the net is: files, a policy and the commands that are run on them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Policy = Mapping[str, Any] | str
"""A policy as plain data, or the YAML text itself."""

ANONYMIZE = "anonymize clinic.csv --policy policy.yaml -o release.csv"


@dataclass(frozen=True)
class Entry:
    """Commands, run one after the other in a folder with the files that they name.

    A file that the net can make (`tables`) is made if a command or a policy names it. ``policies``
    are written under their names. ``shared`` are files of the shared data, copied into the folder.
    Each command is run with ``--json``.
    """

    name: str
    commands: tuple[str, ...] = (ANONYMIZE,)
    policies: Mapping[str, Policy] = ()  # type: ignore[assignment]
    shared: tuple[str, ...] = ()

    def policy_texts(self) -> dict[str, str]:
        """The policy files, by name."""
        return {
            name: one if isinstance(one, str) else json.dumps(one, indent=2) + "\n"
            for name, one in dict(self.policies).items()
        }


def entry(name: str, *commands: str, policy: Policy | None = None, **more: Any) -> Entry:
    """An entry with one policy, `policy.yaml`; without a command it anonymizes the clinic."""
    policies = {} if policy is None else {"policy.yaml": policy}
    return Entry(name, commands or (ANONYMIZE,), policies | more.pop("policies", {}), **more)
