"""Templates: what personal information looks like, as patterns over the features of words.

A template is a regular expression whose letters are tokens:

- ``<first>`` one token with a feature; ``<first&capitalized>``, ``<last|unknown>``,
  ``<capitalized&!ordinary>`` combine features; ``<>`` is any token.
- ``"dear"`` or ``{mr,mrs,dr}`` one token with that text, in any case; also inside ``< >``.
- ``( | )``, ``?``, ``*``, ``+``, ``{2,3}``, ``(?= )``, ``(?! )``, ``(?<= )``, ``(?<! )`` as in
  Python.
- ``^`` and ``$`` are the start and the end of a line.
- ``[ ]`` mark the finding if it is not the whole match.
- ``@name`` stands for a pattern given before, in a line ``@name = pattern``, or for features,
  ``@no = !month&!weekday``, to be used inside ``< >``.

Notes
-----
[Sweeney2001]_, sec. 9.3, fig. 113: templates and their likelihoods.

Departures: letters of a template are features of words, not characters.

Cost: a document becomes a string with one character per token (its *classes*), and each template
runs over that string as a compiled regular expression.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from discreet.display import dataclass, safe_repr
from discreet.scrubbing.templates.lexicon import Lexicon, make_template_error

_PIECE = re.compile(
    r"\s+|(?P<atom><[^<>]*>)|(?P<literal>\"[^\"]+\"|\{(?!\d+(?:,\d*)?\})[^{}]*\})"
    r"|(?P<look>\(\?(?:=|!|<=|<!|:))|(?P<times>\{\d+(?:,\d*)?\}|[*+?])|(?P<group>[()|])"
    r"|(?P<edge>[\^$])|(?P<part>[\[\]])"
)
_TERM = re.compile(r"\s*(!?)\s*(\"[^\"]+\"|\{[^{}]*\}|[a-z_0-9]+)\s*")


@dataclass(frozen=True, slots=True)
class Template:
    """One way of writing a kind of information, and the likelihood that a match is of that kind.

    Examples
    --------
    >>> Template("NAME", "{mr,mrs} [<capitalized>]", 0.95, "title").name
    'title'
    """

    kind: str
    pattern: str
    likelihood: float
    name: str
    section: str = ""
    example: str = ""


@safe_repr
class Case(NamedTuple):
    """One alternative of an atom: bits needed, bits forbidden, words allowed, words forbidden."""

    need: int
    forbid: int
    allowed: frozenset[str] | None
    banned: frozenset[str]


def parse_atom(text: str, lexicon: Lexicon) -> tuple[Case, ...]:
    """The alternatives of ``<...>`` or of a literal."""
    body = text[1:-1] if text.startswith("<") else text
    if not body.strip():
        return (Case(0, 0, None, frozenset()),)
    return tuple(_parse_case(part, lexicon) for part in _split(body, "|"))


def _split(body: str, sign: str) -> list[str]:
    """Split outside quotes and braces."""
    parts = re.findall(rf"(?:\"[^\"]*\"|\{{[^{{}}]*\}}|[^{re.escape(sign)}\"{{}}])+", body)
    return list(parts)


def _parse_case(text: str, lexicon: Lexicon) -> Case:
    need = forbid = 0
    allowed: frozenset[str] | None = None
    banned: frozenset[str] = frozenset()
    for part in _split(text, "&"):
        term = _TERM.fullmatch(part)
        if not term:
            raise make_template_error(part.strip(), 'Write a feature, "a word" or {some,words}.')
        negated, name = bool(term[1]), term[2]
        if name[0] in '"{':
            words = read_literal_words(name)
            if negated:
                banned |= words
            else:
                allowed = words if allowed is None else allowed & words
        elif negated:
            forbid |= lexicon.bit(name)
        else:
            need |= lexicon.bit(name)
    return Case(need, forbid, allowed, banned)


def read_literal_words(text: str) -> frozenset[str]:
    """The words of ``"word"`` or ``{some,words}``, in lower case."""
    if text.startswith('"'):
        return frozenset({text[1:-1].lower()})
    return frozenset(word.strip().lower() for word in text[1:-1].split(",") if word.strip())


def list_pieces(template: Template) -> tuple[tuple[str, str], ...]:
    """The parts of a pattern: (what, text)."""
    return _split_pattern(template.pattern, template.name)


@lru_cache(maxsize=4096)
def _split_pattern(pattern: str, name: str) -> tuple[tuple[str, str], ...]:
    place, found = 0, []
    while place < len(pattern):
        piece = _PIECE.match(pattern, place)
        if not piece:
            rest = pattern[place : place + 20]
            raise make_template_error(rest, "See the pattern language.", f"template {name}")
        place = piece.end()
        if piece.lastgroup:
            found.append((piece.lastgroup, piece[0]))
    return tuple(found)


def is_on_board(template: Template) -> bool:
    """Whether a template reads the blackboard, so that it has to wait for turn 2."""
    return any(what == "atom" and "posted_" in text for what, text in list_pieces(template))


def read_templates(lines: Iterable[str], where: str) -> list[Template]:
    """Templates of a file: ``kind | likelihood | name | pattern   # example`` under ``[section]``.

    Examples
    --------
    >>> read_templates(['[title]', 'NAME | 0.9 | mr | "mr" [<capitalized>]  # Mr Fox'], "x")[0].name
    'mr'
    """
    section, found = "", []
    short: dict[str, str] = {}
    for number, raw in enumerate(lines, 1):
        line, _, example = raw.strip().partition("  # ")
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("[") and line.endswith("]") and "|" not in line:
            section = line[1:-1]
            continue
        if line.startswith("@"):
            name, _, pattern = line.partition("=")
            short[name.strip()] = _expand(pattern, short)
            continue
        fields = [field.strip() for field in line.split("|", 3)]
        if len(fields) < 4 or not re.fullmatch(r"[01](\.\d+)?", fields[1]):
            raise make_template_error(
                line[:40], "Write: kind | likelihood | name | pattern.", f"{where} line {number}"
            )
        kind, likelihood, name, pattern = fields
        pattern = _expand(pattern, short)
        found.append(Template(kind, pattern, float(likelihood), name, section, example.strip()))
    return found


def _expand(pattern: str, short: dict[str, str]) -> str:
    """The pattern with its @names expanded, in parentheses unless they are features."""

    def meaning(found: re.Match[str]) -> str:
        text = short.get(found[0])
        if text is None:
            return found[0]
        return text if re.fullmatch(r"[\w!&|]+", text) else f"({text})"

    return re.sub(r"@\w+", meaning, pattern).strip()


def set_likelihoods(templates: Iterable[Template], changed: dict[str, float]) -> list[Template]:
    """The same templates, some with another likelihood (what training found)."""
    return [
        replace(t, likelihood=changed[f"{t.section}/{t.name}"])
        if f"{t.section}/{t.name}" in changed
        else t
        for t in templates
    ]
