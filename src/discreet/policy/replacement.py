"""Identifiers in a release: replaced by what a key decides, so that a person's rows stay together.

Notes
-----
[Sweeney2001]_, sec. 6.1: an attribute is "tagged as using equivalence class substitution".

Departures: the policy says where the key is; it never holds it.

Cost: one pass over the replaced columns before counting; rows are replaced when they are read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.policy.messages import check_no_address, make_mistake
from discreet.policy.parameter_classes import read_parameters
from discreet.policy.parts import OneOf
from discreet.pseudonyms.key import DOMAIN, load_key, require_domain
from discreet.table.table import Table

if TYPE_CHECKING:
    from discreet.policy.policy import Policy
    from discreet.pseudonyms.formats import Format


_SECRET = re.compile(r"[0-9A-Fa-f\s]{32,}|[A-Za-z0-9+/_=-]{40,}")
_NO_SECRET = (
    "needs the path of a key file; the value looks like a secret, which must not be in a policy. "
    "Create a key with: discreet key people.key, and write key: people.key."
)


@dataclass(frozen=True)
class Pseudonym:
    """One-way pseudonyms of a format; the same key and domain give the same everywhere.

    Parameters
    ----------
    key
        The file of the key, made by ``discreet key``.
    format
        What pseudonyms look like: the ``shape`` of each value, a social security number (``ssn``),
        a ``phone`` number, one of an area that does not exist (``phone-unassigned``), or a
        ``token``.
    domain
        A text of your choice; columns of the same key, format and domain have the same pseudonyms.
    unfit
        What happens to values of another format: ``refuse`` stops, ``missing`` drops them.

    Examples
    --------
    >>> Pseudonym(Path("people.key"), format="ssn").write_spec()
    {'pseudonym': {'key': 'people.key', 'format': 'ssn'}}
    """

    key: Path
    format: Literal["shape", "ssn", "phone", "phone-unassigned", "token"] = "shape"
    domain: str = ""
    unfit: Literal["refuse", "missing"] = "refuse"

    name: ClassVar[str] = "pseudonym"

    def __post_init__(self) -> None:
        _check_path(self.name, self.key)
        require_domain(self.name, self.domain, empty=True)
        for key in ("format", "unfit"):
            known = get_args(read_parameters(Pseudonym)[key].hint)
            if getattr(self, key) not in known:
                raise ParameterError(self.name, key, f"one of {', '.join(known)}")

    @property
    def told(self) -> str:
        """How a column is released, in a few words."""
        return f"pseudonym ({self.format})"

    def write_spec(self, folder: Path | None = None) -> dict[str, Any]:
        """What a policy file says of it; the path becomes relative to ``folder``."""
        return _write_spec(self, folder)

    def replace_columns(self, table: Table, columns: tuple[str, ...], whole: Table) -> Table:
        """The table with columns of one key, format and domain replaced."""
        from discreet.pseudonyms.one_way import OneWay
        from discreet.pseudonyms.pseudonymize import pseudonymize_one_way

        key = load_key(self.key)
        hide = OneWay(key, make_format(self.format), self.domain, self.unfit)
        return pseudonymize_one_way(table, columns, hide, self.key, whole)[0]


@dataclass(frozen=True)
class Encrypt:
    """Tokens that the holder of the key can reverse with ``discreet restore``.

    Parameters
    ----------
    key
        The file of the key, made by ``discreet key``.
    domain
        A text of your choice; columns of the same key and domain have the same tokens.

    Examples
    --------
    >>> Encrypt(Path("people.key")).write_spec()
    {'encrypt': {'key': 'people.key'}}
    """

    key: Path
    domain: str = DOMAIN

    name: ClassVar[str] = "encrypt"

    def __post_init__(self) -> None:
        _check_path(self.name, self.key)
        require_domain(self.name, self.domain, empty=False)

    @property
    def told(self) -> str:
        """How a column is released, in a few words."""
        return "pseudonym (encrypted; the key reverses it)"

    def write_spec(self, folder: Path | None = None) -> dict[str, Any]:
        """What a policy file says of it; the path becomes relative to ``folder``."""
        return _write_spec(self, folder)

    def replace_columns(self, table: Table, columns: tuple[str, ...], whole: Table) -> Table:
        """The table with columns of one key and domain replaced."""
        from discreet.pseudonyms.reversible import Reversible, replace_by_tokens

        return replace_by_tokens(table, columns, Reversible(load_key(self.key), self.domain))


ALL = (Pseudonym, Encrypt)


def parse_replacement(value: Any, folder: Path) -> Pseudonym | Encrypt:
    """What a policy says under ``replace``: the name of a replacement with its parameters."""
    _refuse_secret(value)
    if isinstance(value, Mapping) and len(value) == 1:
        ((name, given),) = value.items()
        _refuse_secret(given, (str(name),))
    made: Pseudonym | Encrypt = REPLACEMENT.build(value, {"folder": folder})
    return made


def replace_identifiers(table: Table, policy: Policy, whole: Table | None = None) -> Table:
    """The table as the release sees it: its identifiers are replaced when they are read.

    Columns that are replaced in the same way are told apart together, also from those of rows of
    the ``whole`` table that were not asked for. Where somebody has several rows and rows are
    counted, a notice says so.
    """
    notices = [*note_repeated(table, policy)]
    table = replace_values(table, policy, table if whole is None else whole)
    return replace(table, notices=(*table.notices, *notices))


def replace_values(table: Table, policy: Policy, whole: Table) -> Table:
    """The table with its identifiers replaced; no new one is a value of the ``whole`` table."""
    alike: dict[Pseudonym | Encrypt, list[str]] = {}
    for name, column in policy.columns.items():
        if column.replace is not None:
            alike.setdefault(column.replace, []).append(name)
    for one, columns in alike.items():
        table = one.replace_columns(table, tuple(columns), whole)
    return table


def note_repeated(table: Table, policy: Policy) -> Iterator[str]:
    """Say which columns have a pseudonym in several rows, which promises count one by one."""
    for name, column in policy.columns.items():
        if column.replace is None or policy.people is not None:
            continue
        if _is_repeated(table, name):
            yield (
                f"some values of '{name}' occur in several rows, and promises count rows: all rows "
                f"of a class may belong to one person. To count people, add people: "
                f"{{column: {name}}}."
            )


def _is_repeated(table: Table, name: str) -> bool:
    """Whether some value of a column is in several rows."""
    counted = table.count_rows([name])
    if counted is not None:
        values, rows = counted.read_all().columns
        there = pc.sum(rows.filter(pc.is_valid(values))).as_py() or 0
        return bool(len(values.drop_null().unique()) < there)
    cells = [batch.column(0).drop_null() for batch in table.scan(text=[name])]
    return len(pa.chunked_array(cells, pa.string()).unique()) < sum(map(len, cells))


def resolve_key_path(key: Any, folder: Path, name: str, at: tuple[str, ...] = ()) -> Path:
    """The path of a key file; what may be a secret is refused at its place and never shown."""
    if isinstance(key, Path):
        return folder / key
    if not isinstance(key, str) or not key.strip() or "\0" in key:
        raise make_mistake("needs the path of a key file.", at)
    check_no_address(key, name, at)
    try:
        path = folder / Path(key).expanduser()
        there = path.is_file()
    except RuntimeError:
        raise make_mistake(
            "starts with ~ and the name of a user who has no home directory here.", at
        ) from None
    except OSError:  # a secret can be too long for a name
        there = False
    if not there:  # a long path can look like a secret
        _refuse_secret(key, at)
    return path


def _refuse_secret(value: Any, key: tuple[str, ...] = ()) -> None:
    if isinstance(value, str) and ("\n" in value or _SECRET.fullmatch(value)):
        raise make_mistake(_NO_SECRET, key)


REPLACEMENT = OneOf("replacement", lambda: ALL, place=resolve_key_path)


def _check_path(name: str, key: object) -> None:
    if not isinstance(key, Path):
        raise ParameterError(name, "key", "the path of a key file")


def _write_spec(part: Pseudonym | Encrypt, folder: Path | None) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for one in fields(part):
        value = getattr(part, one.name)
        if isinstance(value, Path):
            value = str(value) if folder is None else os.path.relpath(value, folder)
        if value != one.default:
            told[one.name] = value
    return {part.name: told}


def make_format(name: str) -> Format:
    """The format that a policy names."""
    from discreet.pseudonyms.formats import Phone, Shape, SocialSecurity, Token

    made: dict[str, Format] = {
        "shape": Shape(),
        "ssn": SocialSecurity(),
        "phone": Phone(),
        "phone-unassigned": Phone("unassigned"),
        "token": Token(),
    }
    return made[name]
