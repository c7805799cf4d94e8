"""A page as text: what every template knows, and the templates themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined

from discreet.display import dataclass
from discreet.web.screens import ALL
from discreet.web.screens.screen import Fields, Screen
from discreet.web.words import LANGUAGES, Words
from discreet.web.workspace import Workspace

MOST_COMPARED = 2_000
"""Lines of a policy whose changes are marked; of longer ones none are."""


@dataclass(eq=False)
class Page:
    """One answer: where it is for, and what it shows beside the facts of its screen.

    `fault` is what went wrong, with the name of the action; `given` is what its form said.
    `failure` says why there is no page, and is shown in its place.
    """

    base: str
    workspace: Workspace = field(repr=False)
    screen: Screen
    words: Words
    given: Fields = field(default_factory=Fields, repr=False)
    fault: tuple[str, str] | None = None
    failure: str | None = None
    risk: dict[str, Any] | None = field(default=None, repr=False)

    def render(self, facts: Mapping[str, Any], content_only: bool = False) -> str:
        """The page with the facts of its screen."""
        content = "content.html" if self.failure is None else "failure.html"
        return self.render_part(content if content_only else "page.html", facts)

    def render_part(self, template: str, facts: Mapping[str, Any]) -> str:
        """One template, with what all of them know."""
        return render_part(template, self.words, **{**self._describe(), **facts})

    def locate(self, screen: str = "", part: str = "", **query: Any) -> str:
        """The address of a screen of this workspace, or of a part or action of it."""
        path = f"{self.base}/w/{self.workspace.name}/{screen or self.screen.name}"
        asked = f"?{urlencode(query)}" if query else ""
        return f"{path}/{part}{asked}" if part else f"{path}{asked}"

    def _describe(self) -> dict[str, Any]:
        workspace = self.workspace
        return {
            "base": self.base,
            "page": self,
            "screen": self.screen,
            "screens": [one for one in ALL if one.in_navigation],
            "workspace": workspace,
            "locate": self.locate,
            "fault": self.fault,
            "given": self.given,
            "risk": self.risk,
            "job": workspace.job,
            "languages": LANGUAGES,
            "policy_lines": mark_changes(
                workspace.reading["text"], (workspace.history.before or {}).get("text")
            ),
        }


def mark_changes(text: str, before: str | None) -> list[tuple[str, bool]]:
    """The lines of a policy, and which of them the last change wrote.

    >>> mark_changes("a: 1\\nb: 3\\n", "a: 1\\nb: 2\\n")
    [('a: 1', False), ('b: 3', True)]
    """
    lines = text.splitlines()
    earlier = lines if before is None else before.splitlines()
    if max(len(lines), len(earlier)) > MOST_COMPARED:
        earlier = lines
    changed: set[int] = set()
    for kind, _, _, first, last in SequenceMatcher(None, earlier, lines, False).get_opcodes():
        if kind in ("replace", "insert"):
            changed.update(range(first, last))
    return [(line, place in changed) for place, line in enumerate(lines)]


def render_part(template: str, words: Words, **facts: Any) -> str:
    """A template in one language; `say`, `number` and `percent` write as that language does."""
    return (
        _load_templates()
        .get_template(template)
        .render(
            say=words.say,
            has_text=words.has,
            number=words.number,
            percent=words.percent,
            **{"language": words.language, **facts},
        )
    )


@lru_cache(1)
def _load_templates() -> Environment:
    return Environment(
        loader=PackageLoader("discreet.web", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
