"""The policy: what leaves the house, under which promises, and how the release is made."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    ValidationError,
    model_validator,
)

from discreet.display import show_field
from discreet.errors import ArgumentError, PolicyError, PolicyProblem, argument, did_you_mean
from discreet.input_file import refuse_address
from discreet.number_range import SHARE
from discreet.policy import keys, problems
from discreet.policy.anonymity_level import add_k_of_level, fill_in_released_k
from discreet.policy.for_recipient import make_policy_for
from discreet.policy.policy_file import Source, parse_policy, read_policy
from discreet.policy.policy_text import render_policy, write_policy_text
from discreet.policy.profiles import Recipient
from discreet.table.missing import Cleaning, Missing
from discreet.table.table import Role

STRICT = ConfigDict(
    frozen=True,
    extra="forbid",
    strict=True,
    allow_inf_nan=False,
    arbitrary_types_allowed=True,
    validate_default=True,
    hide_input_in_errors=True,
)


class _Shown(str):
    """A text that is its own repr."""

    __slots__ = ()

    __repr__ = str.__str__


def _show_attributes(model: BaseModel, names: Iterable[str]) -> Iterator[tuple[str, Any]]:
    """Attributes of a part of the policy, as far as they can be shown."""
    for name in names:
        yield name, _Shown(show_field(name, getattr(model, name, ...)))


class ColumnPolicy(BaseModel):
    """What one column is, and how its values may be generalized.

    >>> ColumnPolicy(role="quasi").weight
    1.0
    """

    model_config = STRICT

    role: Annotated[Role, BeforeValidator(keys.parse_role)] = Field(
        description="What the column tells an intruder: `identifier` names a person, `quasi` helps "
        "to find one, `sensitive` is what nobody may learn, `text` is free text, `other` is "
        "released as it is."
    )
    hierarchy: Annotated[Any, keys.HIERARCHY] = Field(
        default=None,
        description="How values are generalized, level by level. Without it: the value, then `*`.",
    )
    weight: float = Field(
        default=1.0,
        ge=0,
        json_schema_extra={"maximum": problems.LARGEST_WEIGHT},
        description="How much the detail of a quasi column counts in the measure, next to others.",
    )
    scrub: Annotated[Any, keys.SCRUB] = Field(
        default=None,
        description="Release a text column with what identifies people replaced. Without it the "
        "column is not released.",
    )
    replace: Annotated[Any, keys.REPLACE] = Field(
        default=None,
        description="Release an identifier as a pseudonym. Without it the column is not released.",
    )
    technique: Annotated[tuple[Any, ...], keys.COLUMN_TECHNIQUES] = Field(
        default=(),
        description="A technique for this column, or a list of them in the order they are run.",
    )
    missing: Annotated[tuple[str, ...], keys.MISSING_WORDS] = Field(
        default=(),
        description="Words that mean missing in this column, in addition to those of the policy.",
    )
    repair: Literal["lost_zeros"] | None = Field(
        default=None,
        description="`lost_zeros` gives ZIP codes the leading zeros back that a spreadsheet "
        "dropped: 2138 is read as 02138.",
    )

    def __repr_args__(self) -> Iterator[tuple[str, Any]]:
        """What pydantic shows: a hierarchy or technique may hold values, which are not."""
        yield from _show_attributes(
            self, ("role", "hierarchy", "weight", "scrub", "replace", "technique")
        )

    @model_validator(mode="after")
    def _check_role(self) -> ColumnPolicy:
        problems.check_column(self)
        return self


class Policy(BaseModel):
    """What is released, what must hold, and how much may be lost for it.

    Takes the keys of a policy file; objects may stand where a file has names and mappings.
    Relative paths are looked up in ``folder``.

    >>> policy = Policy(
    ...     columns={"age": {"role": "quasi"}, "disease": {"role": "sensitive"}},
    ...     require=[{"k_anonymity": {"k": 5}}],
    ... )
    >>> policy.quasi, policy.sensitive, policy.suppress
    (('age',), ('disease',), 0.0)
    """

    model_config = STRICT

    columns: Annotated[dict[str, ColumnPolicy], BeforeValidator(keys.name_columns)] = Field(
        min_length=1,
        description="The columns by name. Columns that are not named are not released.",
    )
    require: tuple[Annotated[Any, keys.MODEL], ...] = Field(
        min_length=1,
        strict=False,
        description="What must hold for the release. May be left out where there is `anonymity`.",
    )
    suppress: Annotated[float, BeforeValidator(keys.parse_share)] = Field(
        default=0.0,
        description="The largest share of rows, or of people, that may be suppressed.",
        json_schema_extra={**SHARE.schema},
    )
    algorithm: Annotated[Any, keys.ALGORITHM] = Field(
        default="optimal", description="How the release is found."
    )
    measure: Annotated[Any, keys.MEASURE] = Field(
        default="loss", description="How the loss is counted that the algorithm keeps small."
    )
    missing: Annotated[Missing, keys.MISSING] = Field(
        default_factory=Missing,
        description="What a missing value is: a `value` of its own, or a `wildcard` for any value; "
        "and which words of the table mean missing.",
        json_schema_extra={"default": "value"},
    )
    seed: int | None = Field(
        default=None,
        ge=0,
        description="Makes random steps repeatable. Without it the operating system decides.",
    )
    prefer: tuple[str, ...] = Field(
        default=(),
        strict=False,
        description="Quasi columns, the one to keep most detailed first, for releases that tie.",
    )
    suppressed_rows: Literal["drop", "keep"] = Field(
        default="drop",
        description="Whether suppressed rows are left out or kept as rows of `*`.",
    )
    order: Literal["scramble", "keep"] = Field(
        default="scramble", description="The order of the rows in the release."
    )
    choice: Literal["best", "blind"] = Field(
        default="best",
        description="`best` loses least; `blind` goes by sizes of classes alone, so that the "
        "choice tells nothing about sensitive values.",
    )
    formulas: Literal["keep", "quote"] = Field(
        default="keep",
        description="`quote` puts an apostrophe before cells that a spreadsheet would run.",
    )
    time_limit: float | None = Field(
        default=None,
        gt=0,
        description="Seconds of search. Without it: 30 for more than ten million nodes, else none.",
    )
    row_weight: str | None = Field(
        default=None,
        description="A column of numbers: how much each row counts in the measures.",
    )
    techniques: Annotated[
        tuple[Annotated[Any, keys.TECHNIQUE], ...],
        BeforeValidator(
            keys.replace_nothing,
            json_schema_input_type=tuple[Annotated[Any, keys.TECHNIQUE], ...] | None,
        ),
    ] = Field(
        default=(),
        strict=False,
        description="Techniques about rows or several columns, in the order they are run.",
    )
    people: Annotated[Any, keys.PEOPLE] = Field(
        default=None,
        description="Which person each row belongs to, for people with many rows. Without it each "
        "row is a person.",
    )
    profiles: Annotated[dict[str, Any], keys.PROFILES] = Field(
        default_factory=dict,
        description="Recipients by name: how likely each links on which column.",
    )
    profile: str | None = Field(
        default=None,
        description="Which of the `profiles` is meant; an option of the same name overrides it.",
    )
    anonymity: Annotated[Any, keys.ANONYMITY] = Field(
        default=None,
        description="The anonymity level, from which k follows with the size of the table.",
    )
    about: Annotated[Any, keys.ABOUT] = Field(
        default=None,
        description="What the release is, for whom and why. Reports and certificates show it; "
        "nothing in it changes the release.",
    )

    _source: Source = PrivateAttr(default_factory=Source)
    _recipient: Recipient = PrivateAttr(default_factory=Recipient)

    def __init__(self, /, *, folder: str | Path = ".", source: Source | None = None, **data: Any):
        source = source or Source()
        context = {"folder": Path(folder)}
        try:
            self.__pydantic_validator__.validate_python(data, self_instance=self, context=context)
        except ValidationError as error:
            known, of_column = type(self).model_fields, ColumnPolicy.model_fields
            raise problems.make_policy_error(error, source, known, of_column) from None
        self._source = source

    def __repr_args__(self) -> Iterator[tuple[str, Any]]:
        """What pydantic shows: columns and promises, no value that the policy lists."""
        yield from _show_attributes(
            self, ("quasi", "sensitive", "require", "suppress", "algorithm")
        )

    @model_validator(mode="before")
    @classmethod
    def _add_level(cls, data: Any) -> Any:
        """An anonymity level is a promise of k-anonymity; its k is known with the table."""
        return add_k_of_level(data)

    @model_validator(mode="after")
    def _check_whole(self) -> Policy:
        problems.check_policy(self)
        return self

    @classmethod
    def load(cls, path: str | Path) -> Policy:
        """Read a policy file; paths in it are relative to its folder."""
        refuse_address(path, "policy")
        return cls._make(*read_policy(Path(path)))

    @classmethod
    def parse(cls, text: str, file: str = "policy", folder: str | Path = ".") -> Policy:
        """Read the text of a policy; messages name the ``file``, and paths are in ``folder``."""
        data, lines = parse_policy(text, file)
        return cls._make(data, Source(file, lines, text, Path(folder)))

    @classmethod
    def _make(cls, data: dict[str, Any], source: Source) -> Policy:
        unknown = {"folder", "source"} & data.keys()
        if unknown:
            known = [*cls.model_fields]
            wrong = [(k, f"'{k}' is not a key here. {did_you_mean(k, known)}") for k in unknown]
            raise PolicyError([source.make_problem((k,), what) for k, what in wrong], source.file)
        return cls(folder=source.folder, source=source, **data)

    @classmethod
    def from_flags(
        cls, quasi: Sequence[str], sensitive: Sequence[str] = (), k: int | None = None, **more: Any
    ) -> Policy:
        """The simple case: quasi columns, sensitive columns, k; the hierarchies are proposed.

        Columns that are not named are not released.
        """
        if not quasi:
            fix = f"Give {argument('quasi', 'COLUMN')}, or {argument('policy', 'FILE')}."
            raise ArgumentError("quasi", "no quasi column is named", fix)
        if k is None and more.get("anonymity") is None:
            fix = f"Give {argument('k', '5')}."
            raise ArgumentError("k", "the size of the smallest class is missing", fix)
        both = [name for name in quasi if name in sensitive]
        if both:
            what = f"'{both[0]}' is named as quasi and as sensitive"
            fix = "A column has one role: drop one of the two."
            raise ArgumentError(("quasi", "sensitive"), what, fix)
        columns: dict[str, Any] = {
            name: {"role": Role.quasi, "hierarchy": {"auto": True}} for name in quasi
        }
        columns |= {name: {"role": Role.sensitive} for name in sensitive}
        named = {} if k is None else {"k": k}
        return cls(columns=columns, require=[{"k_anonymity": named}], **more)

    def replace(self, **changes: Any) -> Policy:
        """The same policy with other values for some keys, checked anew."""
        now = {name: getattr(self, name) for name in type(self).model_fields}
        return type(self)(source=self._source, **{**now, **changes}).remember_recipient(
            self._recipient
        )

    @property
    def recipient(self) -> Recipient:
        """Whom the policy was made for by :meth:`for_recipient`."""
        return self._recipient

    def remember_recipient(self, recipient: Recipient) -> Policy:
        """This policy, which remembers whom it was made for."""
        self._recipient = recipient
        return self

    def for_recipient(self, name: str | None = None) -> Policy:
        """The plain policy for a recipient: the one named, else that of ``profile``.

        A policy without profiles is plain already. One that has profiles and names no recipient is
        refused: what is safe to give depends on who gets it.
        """
        chosen = self if name is None else self.replace(profile=name)
        if chosen.profile is not None:
            return make_policy_for(chosen, chosen.profile)
        if not self.profiles:
            return self
        what = f"no recipient is named; choose one of {', '.join(self.profiles)}"
        fix = f"Add 'profile: NAME', or give {argument('profile', 'NAME')}."
        raise PolicyError([self._source.make_problem(("profiles",), f"{what}. {fix}")], self.file)

    def for_release(self, rows: int, private: int | None = None) -> Policy:
        """The policy with the k of its anonymity level, for a released file of ``rows`` rows.

        Without the number of rows of the ``private`` table, the largest possible number is used.
        """
        return fill_in_released_k(self, rows, private)[0]

    def to_yaml(self, folder: str | Path | None = None, *, comments: bool = True) -> str:
        """The policy as a file that means the same; its paths become relative to ``folder``.

        A policy that was read from a file keeps the comments and the layout of that file, except
        where keys have changed; without ``comments`` only the keys are written.
        """
        return render_policy(self, None if folder is None else Path(folder), comments)

    def save(self, path: str | Path, *, replace: bool = False) -> None:
        """Write the policy to a file, whole or not at all; its paths become relative to its folder.

        A file that is there already is left alone unless ``replace`` is true.
        """
        refuse_address(path, "policy")
        target = Path(path)
        write_policy_text(target, self.to_yaml(target.absolute().parent), replace)

    @property
    def source(self) -> Source:
        """Where it was read from."""
        return self._source

    @property
    def file(self) -> str:
        """The name of the file it was read from, for messages."""
        return self._source.file

    def with_role(self, *roles: Role) -> tuple[str, ...]:
        """The columns that have one of these roles, in the order of the policy."""
        return tuple(name for name, column in self.columns.items() if column.role in roles)

    @property
    def quasi(self) -> tuple[str, ...]:
        """The columns that could be linked to other data."""
        return self.with_role(Role.quasi)

    @property
    def sensitive(self) -> tuple[str, ...]:
        """The columns that nobody may learn about a person."""
        return self.with_role(Role.sensitive)

    @property
    def released(self) -> tuple[str, ...]:
        """The columns that leave the house.

        Identifiers that are not replaced and text that is not scrubbed do not. The column of
        people does, as a pseudonym.
        """
        released = {Role.quasi, Role.sensitive, Role.other}
        leave = [
            name
            for name, column in self.columns.items()
            if column.role in released or column.scrub is not None or column.replace is not None
        ]
        return tuple(dict.fromkeys([*leave, *([self.people.column] if self.people else ())]))

    def cleanings(self, columns: Iterable[str]) -> dict[str, Cleaning]:
        """What is done to the values of a table's columns as they are read."""
        found = {}
        for name in columns:
            column = self.columns.get(name)
            own = () if column is None else column.missing
            words = tuple(dict.fromkeys((*self.missing.values, *own)))
            zeros = column is not None and column.repair == "lost_zeros"
            found[name] = Cleaning(words, zeros)
        return found

    @property
    def quoted(self) -> tuple[str, ...]:
        """The released columns in which formulas are quoted; pseudonyms stay what they are."""
        if self.formulas == "keep":
            return ()
        replaced = {name for name, column in self.columns.items() if column.replace is not None}
        replaced |= {self.people.column} if self.people else set()
        return tuple(name for name in self.released if name not in replaced)

    @property
    def scrubbed(self) -> tuple[str, ...]:
        """The columns of text that are released scrubbed."""
        return tuple(name for name, column in self.columns.items() if column.scrub is not None)

    def check_columns(
        self, present: Iterable[str], file: str, names: Iterable[str] | None = None
    ) -> None:
        """Refuse a table that lacks columns that the policy names (all of them, or ``names``)."""
        there = list(present)
        if names is None:
            names = [*self.columns, *([self.row_weight] if self.row_weight else ())]
        wrong = problems.find_lacking_columns(list(names), there, file)
        if self.people is not None and self.people.column not in (*there, *self.columns):
            what = f"{file} has no column '{self.people.column}'"
            hint = did_you_mean(self.people.column, there)
            wrong.append((("people", "column"), f"{what}. {hint}"))
        if wrong:
            told = [self._source.make_problem(key, what) for key, what in wrong]
            raise PolicyError(told, self._source.file)


def settle_policy(policy: Any, table: Any) -> Policy:
    """The policy of a Policy, of a dict with its keys, or of the path of a policy file.

    ``table`` is what was given for the table: the two are easily swapped, and the message says so.
    """
    if isinstance(table, Policy) or (_is_policy_file(table) and not _is_policy_file(policy)):
        what = "the table and the policy are swapped"
        raise ArgumentError("policy", what, "Give the table first, then the policy.")
    match policy:
        case Policy():
            return policy
        case str() | os.PathLike():
            return Policy.load(Path(policy))
        case Mapping():
            return _make_from_mapping(policy)
    what = f"this is a {type(policy).__name__}, not a policy"
    raise ArgumentError("policy", what, "Give a Policy, a dict or the path of a policy file.")


def _is_policy_file(given: Any) -> bool:
    if not isinstance(given, str | os.PathLike):
        return False
    return os.fspath(given).casefold().endswith((".yaml", ".yml"))


def _make_from_mapping(given: Mapping[Any, Any]) -> Policy:
    """A policy of its keys; ``source`` is for files, and every key is text."""
    wrong = [key for key in given if not isinstance(key, str) or key == "source"]
    if wrong:
        known = [*Policy.model_fields]
        told = [f"is not a key here. {did_you_mean(str(key), known)}" for key in wrong]
        raise PolicyError(
            [PolicyProblem(str(key), what) for key, what in zip(wrong, told, strict=True)]
        )
    return Policy(**given)
