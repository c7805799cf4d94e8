"""What a report says, as plain data: versioned, with a published schema.

The page, the pictures, the metadata and the notebook show these facts and nothing else. What was
measured on the private table stands in fields named ``before``, and is missing (None) if there was
no private table to measure, or in the edition for outside the house.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import GenerateJsonSchema

FORMAT = "discreet-report/1"
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]


class Part(BaseModel):
    """A part of a report: nothing is guessed, and what is not known is refused."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", allow_inf_nan=False, hide_input_in_errors=True
    )

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        """What pydantic shows: nothing, since facts hold labels of the release."""
        yield from ()


class ReleasedFile(Part):
    """A file that the report is about."""

    name: str
    sha256: str | None = None
    bytes: Count | None = None


class Promise(Part):
    """A promise of the policy, counted on the release."""

    model: str
    title: str = Field(description="Such as k-anonymity.")
    sentence: str = Field(description="What is promised, in a sentence.")
    limits: str = Field(description="What the model does not promise.")
    holds: bool
    measured: float | None
    limit: float | None
    rows_at_risk: Count
    columns: list[str]
    note: str = ""


class Search(Part):
    """How the release was found; None where the facts of the run were not given."""

    algorithm: str
    measure: str
    value: float | None
    proven: bool
    bound: float | None
    gap: float | None
    sentence: str = Field(description="The proof or the bound in words.")
    measures: dict[str, float]
    seconds: float | None = None


class Bin(Part):
    """Rows in classes of a size from ``least`` to ``most``; no upper end where that is None."""

    least: Count
    most: Count | None
    rows: Count
    classes: Count | None = None


class Classes(Part):
    """Rows that are alike on the quasi columns."""

    rows: Count
    classes: Count
    smallest: Count | None
    average: float | None
    unique_rows: Count | None = Field(description="Null in the edition for outside.")
    bins: list[Bin]


class RiskValues(Part):
    """Chances of a right guess."""

    prosecutor_highest: Share | None
    prosecutor_average: Share | None
    journalist_highest: Share | None
    journalist_method: str
    marketer: Share | None
    rows_above_threshold: Count | None = Field(description="Null if too few to be told outside.")
    population_uniques: float | None = Field(default=None, description="Estimated; None if not.")


class Risks(Part):
    """Risk before and after, against the threshold."""

    threshold: Share
    threshold_reason: str
    before: RiskValues | None
    after: RiskValues


class LabelShare(Part):
    """A value of the release with its rows; ``label`` is None for all the others together."""

    label: str | None = Field(description="Empty for a missing value; null for all the others.")
    after: Count
    before: Count | None = None


class NumberSummary(Part):
    """Mean and quantiles of the numbers in a column."""

    count: Count
    mean: float
    deviation: float
    quantiles: dict[str, float] = Field(description="By the name of the quantile, such as 0.25.")
    ranges: bool = Field(default=False, description="Whether ranges were counted by their middle.")


class SuppressedShare(Part):
    """How often rows with this released value were suppressed."""

    label: str | None
    rows: Count
    suppressed: Count


class Column(Part):
    """What became of a column."""

    name: str
    role: str
    reason: str = Field(default="", description="Why it has this role.")
    released: bool
    released_as: str = Field(description="In words, such as level 2 of 5 (10 years).")
    technique: str = Field(description="The name of the technique in ISO/IEC 20889.")
    level: int | None = None
    height: int | None = None
    distinct_before: Count | None = None
    distinct_after: Count | None = None
    suppressed_cells: Share | None = Field(default=None, description="Share of * among its cells.")
    loss: Share | None = None
    granularity: Share | None = None
    values: list[LabelShare] = Field(default=[], description="Largest first, the rest together.")
    numbers_before: NumberSummary | None = None
    numbers_after: NumberSummary | None = None
    suppression: list[SuppressedShare] = Field(
        default=[], description="Who was suppressed, by the released value of this column."
    )
    hierarchy: list[list[LabelShare]] = Field(
        default=[], description="The values of each level from the top to the released one."
    )


class Dependence(Part):
    """Cramer's V of two columns, at the released level before and in the release after."""

    columns: tuple[str, str]
    before: Share | None
    after: Share | None


class Suppression(Part):
    """Rows that were left out, or released as rows of ``*``."""

    allowed: Share
    rows: Count | None
    share: Share | None


class TriedAttack(Part):
    """An attack on the release, and what it got."""

    attack: str
    title: str
    criterion: Literal["singling out", "linkability", "inference"]
    applies: bool
    decided: bool
    succeeds: bool
    breaks: bool
    rows_exposed: Count | None
    note: str


class Alternative(Part):
    """Another algorithm under the same policy."""

    title: str
    chosen: bool
    holds: bool
    granularity: float | None
    smallest_class: Count | None
    rows_suppressed: Count | None
    seconds: float | None


class CostOfK(Part):
    """What a class size would cost, all else alike."""

    k: Count
    measure: str
    value: float | None = Field(description="None where it cannot be reached.")
    chosen: bool


class EarlierRelease(Part):
    """A release that the ledger remembers."""

    number: Count
    time: str
    to: str
    columns: list[str]


class FreeText(Part):
    """A text column that was scrubbed."""

    column: str
    findings: dict[str, Count] = Field(description="Replaced passages by kind.")


class Sources(Part):
    """What was at hand for this report; what was not is not claimed."""

    original: bool
    register_of_people: bool
    ledger: bool
    run: bool = Field(description="The facts of the run that made the release.")


class Facts(Part):
    """Everything a report says."""

    format: Literal["discreet-report/1"] = "discreet-report/1"
    edition: Literal["inside", "outside"]
    version: str = Field(description="The version of discreet.")
    made: str = Field(description="When, in UTC.")
    sources: Sources
    about: dict[str, Any] = Field(description="The policy's key about.")
    files: list[ReleasedFile]
    policy: str = Field(description="The policy in YAML, without comments and without its seed.")
    rows_before: Count | None
    rows_after: Count
    people: Count | None = None
    holds: bool
    promises: list[Promise]
    search: Search | None
    columns: list[Column]
    classes_before: Classes | None
    classes_after: Classes
    risks: Risks
    suppression: Suppression
    dependence: list[Dependence]
    attacks: list[TriedAttack]
    alternatives: list[Alternative] = []
    cost_of_k: list[CostOfK] = []
    earlier: list[EarlierRelease] = []
    text: list[FreeText] = []
    notes: list[str] = []
    not_promised: list[str]
    reviews: list[str] = Field(default=[], description="When to decide again about the release.")


def report_schema() -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of what a report says: its facts, version 1.

    >>> report_schema()["$id"]
    'urn:discreet:report:v1'
    """
    made = Facts.model_json_schema(mode="serialization")
    title = {"$id": "urn:discreet:report:v1", "title": "discreet report"}
    return {"$schema": GenerateJsonSchema.schema_dialect, **made, **title}
