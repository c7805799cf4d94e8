"""The templates of a language, all files together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources import files

from discreet.scrub.template import Template, read_templates, with_likelihoods


def all_templates(language: str) -> Iterator[Template]:
    """Every template of a language as its folder has it."""
    folder = files("discreet.scrub.languages") / language
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        if path.name.endswith(".txt"):
            yield from read_templates(path.read_text(encoding="utf-8").splitlines(), path.name)


def templates_by_name(language: str, likelihoods: Mapping[str, float]) -> dict[str, Template]:
    """Templates by ``section/name``, with these likelihoods; of several of a name the first."""
    found: dict[str, Template] = {}
    for template in with_likelihoods(all_templates(language), dict(likelihoods)):
        found.setdefault(f"{template.section}/{template.name}", template)
    return found
