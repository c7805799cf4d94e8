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

    name: str = Field(description="Its name, without the folder.")
    sha256: str | None = Field(
        default=None, description="Its SHA-256; null if the release is not a file."
    )
    bytes: Count | None = Field(default=None, description="Its size.")


class Promise(Part):
    """A promise of the policy, counted on the release."""

    model: str = Field(description="The model's name in a policy.")
    title: str = Field(description="Such as k-anonymity.")
    sentence: str = Field(description="What is promised, in a sentence.")
    limits: str = Field(description="What the model does not promise.")
    holds: bool = Field(description="Whether it holds, counted again.")
    measured: float | None = Field(
        description="The worst value that was measured; null if it could not be."
    )
    limit: float | None = Field(description="What it is compared with.")
    rows_at_risk: Count = Field(description="Rows of the release that break it.")
    columns: list[str] = Field(description="The quasi columns that it is about.")
    note: str = Field(
        default="", description="What it was compared with, or why it could not be counted."
    )


class Search(Part):
    """How the release was found; None where the facts of the run were not given."""

    algorithm: str = Field(description="How it was found.")
    measure: str = Field(description="The measure that was optimized.")
    value: float | None = Field(description="Its value.")
    proven: bool = Field(description="Whether no release of its kind is better.")
    bound: float | None = Field(
        description="No release of its kind is better than this; null if not known."
    )
    gap: float | None = Field(description="How far the value is from the bound.")
    sentence: str = Field(description="The proof or the bound in words.")
    measures: dict[str, float] = Field(
        description="All measures by name, suppressed rows included."
    )
    seconds: float | None = Field(default=None, description="From reading to the result.")


class Bin(Part):
    """Rows in classes of a size from ``least`` to ``most``; no upper end where that is None."""

    least: Count = Field(description="The smallest size.")
    most: Count | None = Field(description="The largest size; null if there is none.")
    rows: Count = Field(description="Rows in such classes.")
    classes: Count | None = Field(default=None, description="Such classes.")


class Classes(Part):
    """Rows that are alike on the quasi columns."""

    rows: Count = Field(description="Rows, or people where these are counted.")
    classes: Count = Field(description="Classes.")
    smallest: Count | None = Field(description="Size of the smallest class.")
    average: float | None = Field(description="Average size.")
    unique_rows: Count | None = Field(description="Null in the edition for outside.")
    bins: list[Bin] = Field(description="Rows by the size of their class.")


class RiskValues(Part):
    """Chances of a right guess."""

    prosecutor_highest: Share | None = Field(
        description="Largest chance, for somebody who knows that a person is in the table."
    )
    prosecutor_average: Share | None = Field(description="The same on average over rows.")
    journalist_highest: Share | None = Field(
        description="Largest chance, for somebody who does not know who is in the table."
    )
    journalist_method: str = Field(description="How the journalist's chance was found.")
    marketer: Share | None = Field(
        description="Share of all rows that are guessed right on average."
    )
    rows_above_threshold: Count | None = Field(description="Null if too few to be told outside.")
    population_uniques: float | None = Field(default=None, description="Estimated; None if not.")


class Risks(Part):
    """Risk before and after, against the threshold."""

    threshold: Share = Field(description="The chance that a row may have.")
    threshold_reason: str = Field(description="Where the threshold comes from.")
    before: RiskValues | None = Field(description="Of the private table, its values as found.")
    after: RiskValues = Field(description="Of the release.")


class LabelShare(Part):
    """A value of the release with its rows; ``label`` is None for all the others together."""

    label: str | None = Field(description="Empty for a missing value; null for all the others.")
    after: Count = Field(description="Rows of the release.")
    before: Count | None = Field(
        default=None, description="Rows of the private table, at the released level."
    )


class NumberSummary(Part):
    """Mean and quantiles of the numbers in a column."""

    count: Count = Field(description="Cells that are numbers.")
    mean: float = Field(description="Their mean.")
    deviation: float = Field(description="Their standard deviation, over all cells.")
    quantiles: dict[str, float] = Field(description="By the name of the quantile, such as 0.25.")
    ranges: bool = Field(default=False, description="Whether ranges were counted by their middle.")


class SuppressedShare(Part):
    """How often rows with this released value were suppressed."""

    label: str | None = Field(description="Empty for a missing value; null for all the others.")
    rows: Count = Field(description="Rows of the private table.")
    suppressed: Count = Field(description="Those of them that were suppressed.")


class Column(Part):
    """What became of a column."""

    name: str = Field(description="Its name.")
    role: str = Field(description="Its role in the policy.")
    reason: str = Field(default="", description="Why it has this role.")
    released: bool = Field(description="Whether the release has it.")
    released_as: str = Field(description="In words, such as level 2 of 5 (10 years).")
    technique: str = Field(description="The name of the technique in ISO/IEC 20889.")
    level: int | None = Field(
        default=None, description="Its level; null where cells differ, or not known."
    )
    height: int | None = Field(default=None, description="The highest level of its hierarchy.")
    distinct_before: Count | None = Field(
        default=None, description="Different values of the private table."
    )
    distinct_after: Count | None = Field(
        default=None, description="Different values of the release."
    )
    suppressed_cells: Share | None = Field(default=None, description="Share of * among its cells.")
    loss: Share | None = Field(
        default=None, description="How much detail of the released cells is lost, from 0 to 1."
    )
    granularity: Share | None = Field(default=None, description="1 less the loss.")
    values: list[LabelShare] = Field(default=[], description="Largest first, the rest together.")
    numbers_before: NumberSummary | None = Field(
        default=None, description="Numbers of the private table; null if a value is not a number."
    )
    numbers_after: NumberSummary | None = Field(default=None, description="Numbers of the release.")
    suppression: list[SuppressedShare] = Field(
        default=[], description="Who was suppressed, by the released value of this column."
    )
    hierarchy: list[list[LabelShare]] = Field(
        default=[], description="The values of each level from the top to the released one."
    )


class Dependence(Part):
    """Cramer's V of two columns, at the released level before and in the release after."""

    columns: tuple[str, str] = Field(description="The two columns.")
    before: Share | None = Field(
        description="Of the private table at the released level; null if a column has one value."
    )
    after: Share | None = Field(description="Of the release.")


class Suppression(Part):
    """Rows that were left out, or released as rows of ``*``."""

    allowed: Share = Field(description="The largest share that the policy allows.")
    rows: Count | None = Field(description="Rows that were suppressed; null if not known.")
    share: Share | None = Field(description="Their share of the private table.")


class TriedAttack(Part):
    """An attack on the release, and what it got."""

    attack: str = Field(description="The attack's name.")
    title: str = Field(description="What it does.")
    criterion: Literal["singling out", "linkability", "inference"] = Field(
        description="The question of WP216 that it tests."
    )
    applies: bool = Field(description="Whether it could be tried.")
    decided: bool = Field(description="Whether it is known what it gets.")
    succeeds: bool = Field(description="Whether it gets anything.")
    breaks: bool = Field(description="Whether it gets more than the policy allows.")
    rows_exposed: Count | None = Field(description="Rows that it exposes.")
    note: str = Field(description="What it gets, in words.")
    assumed: bool = Field(
        default=False,
        description="Whether it was tried with exact counts of the private table, the worst case.",
    )


class Alternative(Part):
    """Another algorithm under the same policy."""

    title: str = Field(description="The algorithm.")
    chosen: bool = Field(description="Whether the release was made by it.")
    holds: bool = Field(description="Whether every promise holds.")
    granularity: float | None = Field(description="How much detail is left.")
    smallest_class: Count | None = Field(description="Size of its smallest class.")
    rows_suppressed: Count | None = Field(description="Rows that it suppresses.")
    seconds: float | None = Field(description="How long it took.")


class CostOfK(Part):
    """What a class size would cost, all else alike."""

    k: Count = Field(description="The class size.")
    measure: str = Field(description="The measure.")
    value: float | None = Field(description="None where it cannot be reached.")
    chosen: bool = Field(description="Whether it is the policy's.")


class EarlierRelease(Part):
    """A release that the ledger remembers."""

    number: Count = Field(description="Its number in the ledger.")
    time: str = Field(description="When it was made.")
    to: str = Field(description="Who got it.")
    columns: list[str] = Field(description="Its columns.")


class FreeText(Part):
    """A text column that was scrubbed."""

    column: str = Field(description="The column.")
    findings: dict[str, Count] | None = Field(
        description="Replaced passages of the private table by kind; null if not known."
    )


class Sources(Part):
    """What was at hand for this report; what was not is not claimed."""

    original: bool = Field(description="The private table.")
    register_of_people: bool = Field(description="A register of people.")
    ledger: bool = Field(description="The ledger that has the release.")
    run: bool = Field(description="The facts of the run that made the release.")


class Facts(Part):
    """Everything a report says."""

    format: Literal["discreet-report/1"] = Field(
        default="discreet-report/1", description="The version of this format."
    )
    edition: Literal["inside", "outside"] = Field(
        description="For the holder of the data, or for recipients."
    )
    version: str = Field(description="The version of discreet.")
    made: str = Field(description="When, in UTC.")
    sources: Sources = Field(description="What was at hand.")
    about: dict[str, Any] = Field(description="The policy's key about.")
    files: list[ReleasedFile] = Field(description="The released files.")
    policy: str = Field(description="The policy in YAML, without comments and without its seed.")
    rows_before: Count | None = Field(description="Rows of the private table.")
    rows_after: Count = Field(description="Rows of the release.")
    people: Count | None = Field(
        default=None, description="People in the release; null unless the policy counts people."
    )
    holds: bool = Field(description="Whether every promise holds.")
    promises: list[Promise] = Field(
        description="The promises of the policy, counted on the release."
    )
    search: Search | None = Field(description="How the release was found.")
    columns: list[Column] = Field(description="What became of each column.")
    classes_before: Classes | None = Field(
        description="Classes of the private table, its values as found."
    )
    classes_after: Classes = Field(description="Classes of the release.")
    risks: Risks = Field(description="Risk before and after.")
    suppression: Suppression = Field(description="Rows that were left out.")
    dependence: list[Dependence] = Field(description="Dependence of quasi and sensitive columns.")
    attacks: list[TriedAttack] = Field(description="Attacks on the release, and what they got.")
    alternatives: list[Alternative] = Field(
        default=[], description="Other algorithms under the same policy."
    )
    cost_of_k: list[CostOfK] = Field(default=[], description="What each class size would cost.")
    earlier: list[EarlierRelease] = Field(
        default=[], description="Earlier releases of the same table."
    )
    text: list[FreeText] = Field(default=[], description="Text columns that were scrubbed.")
    notes: list[str] = Field(default=[], description="What could not be compared, and how.")
    not_promised: list[str] = Field(description="What the release does not promise, in sentences.")
    reviews: list[str] = Field(default=[], description="When to decide again about the release.")


def report_schema() -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of what a report says: its facts, version 1.

    >>> report_schema()["$id"]
    'urn:discreet:report:v1'
    """
    made = Facts.model_json_schema(mode="serialization")
    title = {"$id": "urn:discreet:report:v1", "title": "discreet report"}
    return {"$schema": GenerateJsonSchema.schema_dialect, **made, **title}
