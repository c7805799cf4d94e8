"""What a policy says about the release itself: for whom, why, in which environment, how safe.

Nothing here changes a release. The report, the certificate and the metadata show it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.display import dataclass
from discreet.errors import did_you_mean
from discreet.policy.messages import describe_value, hint_percent, hint_unquoted, make_mistake
from discreet.policy.policy_file import Key

if TYPE_CHECKING:
    from discreet.policy.policy import Policy


# Thresholds: the largest chance of a right guess that is accepted, and who accepts it.


@dataclass(frozen=True)
class ThresholdPreset:
    """A threshold that others have set, with the place where they say so."""

    risk: float
    title: str
    source: str
    date: str

    @property
    def reason(self) -> str:
        """Why this number, in a sentence."""
        return f"{self.title}. Source: {self.source}, {self.date}."


_PRECEDENTS = (
    "K. El Emam, Guide to the De-Identification of Personal Health Information (CRC Press), "
    "chapter on cell size precedents"
)

THRESHOLDS: dict[str, ThresholdPreset] = {
    "ema": ThresholdPreset(
        0.09,
        "The European Medicines Agency recommends 0.09 for clinical reports that are published",
        "EMA/90915/2016, External guidance on the implementation of Policy 0070, chapter 3",
        "first published in March 2016",
    ),
    "health canada": ThresholdPreset(
        0.09,
        "Health Canada recommends 0.09 for clinical information that is published",
        "Guidance document on Public Release of Clinical Information",
        "March 2019",
    ),
    "cms": ThresholdPreset(
        1 / 11,
        "The US Centers for Medicare & Medicaid Services allow no cell of 1 to 10 people, so the "
        "smallest class has 11",
        "CMS Cell Size Suppression Policy, as described by ResDAC",
        "version of January 2024",
    ),
    "cell size 3": ThresholdPreset(
        1 / 3,
        "A smallest cell of 3 is used by some data custodians for recipients whom they trust",
        _PRECEDENTS,
        "2013",
    ),
    "cell size 5": ThresholdPreset(
        1 / 5,
        "A smallest cell of 5 is the rule that data custodians have used most",
        _PRECEDENTS,
        "2013",
    ),
    "cell size 20": ThresholdPreset(
        1 / 20,
        "A smallest cell of 20 has been used for health data that are open to the public",
        _PRECEDENTS,
        "2013",
    ),
}
"""Thresholds by name. They are precedents for a board to choose from, not law, and each holds for
the kind of data and release that its source is about."""


@dataclass(frozen=True)
class Threshold:
    """The largest chance of a right guess that is accepted for this release.

    Parameters
    ----------
    preset
        The name of a threshold that others have set.
    risk
        A threshold of your own, above 0 and at most 1, with its reason.
    reason
        Why a threshold of your own is right for this release.

    >>> Threshold(preset="cell size 5").value
    0.2
    """

    preset: str | None = None
    risk: float | None = None
    reason: str | None = None

    @property
    def value(self) -> float:
        """The number."""
        return THRESHOLDS[self.preset].risk if self.preset else float(self.risk or 1)

    @property
    def explanation(self) -> str:
        """Where the number comes from, in a sentence."""
        return THRESHOLDS[self.preset].reason if self.preset else str(self.reason)

    def write_spec(self, folder: Path | None = None) -> dict[str, Any]:
        """What a policy file says of it."""
        return _drop_empty({"preset": self.preset, "risk": self.risk, "reason": self.reason})


def find_threshold(policy: Policy) -> tuple[float, str]:
    """The accepted risk of a release and its reason, from ``about`` or else from the promises."""
    if policy.about is not None and policy.about.threshold is not None:
        return policy.about.threshold.value, policy.about.threshold.explanation
    joint = [m for m in policy.require if not m.columns or set(policy.quasi) <= {*m.columns}]
    largest = min((float(m.limit) for m in joint if m.name == "largest_risk"), default=1.0)
    size = max((int(m.least_rows) for m in joint if m.name != "largest_risk"), default=1)
    if largest < 1 / size:
        reason = f"The policy allows no risk above {largest:g} and names no other threshold."
        return largest, reason
    if size > 1:
        reason = f"The policy promises classes of at least {size:,} and names no other threshold."
        return 1 / size, reason
    usual = THRESHOLDS["cell size 5"]
    reason = f"The policy names no threshold and promises no class size. {usual.reason}"
    return usual.risk, reason


# The rest


ENVIRONMENTS = {
    "public": "Anybody can get the data, and nobody is bound by a contract.",
    "contract": "Only recipients who have signed a contract get a copy of the data.",
    "safe room": "The data can be used only in a supervised environment; only checked results "
    "leave it.",
    "holder": "Only people who work for the data holder can reach the data.",
}
"""Who can reach the data, in the words of a policy and in a sentence."""


@dataclass(frozen=True)
class About:
    """What the release is, for whom and under which conditions; nothing of it changes the release.

    Parameters
    ----------
    title
        The name of the release.
    description
        What the data are about.
    purpose
        What the data are released for.
    holder
        Who holds the private table and answers for the release.
    contact
        Where questions and complaints go.
    recipient
        Who gets the release.
    environment
        Who can reach the data: ``public``, ``contract`` (recipients who signed one), ``safe room``
        or ``holder`` (people of the data holder).
    controls
        Measures that protect the data besides this policy, such as training or logs of access.
    population
        Whom the private table is about, and whether it has all of them.
    period
        The time that the data are about.
    licence
        The licence or terms of use, or the address of its text.
    url
        The address of the page that offers or describes the release.
    reviewed_by
        Who has reviewed the release.
    valid_until
        The day by which the decision must be taken again, such as 2030-12-31.
    threshold
        The largest risk that is accepted, and why.

    >>> About(title="Visits", valid_until="2030-12-31").is_over(date(2031, 1, 1))
    True
    """

    title: str | None = None
    description: str | None = None
    purpose: str | None = None
    holder: str | None = None
    contact: str | None = None
    recipient: str | None = None
    environment: str | None = None
    controls: tuple[str, ...] = ()
    population: str | None = None
    period: str | None = None
    licence: str | None = None
    url: str | None = None
    reviewed_by: tuple[str, ...] = ()
    valid_until: str | None = None
    threshold: Threshold | None = None

    def is_over(self, today: date) -> bool:
        """Whether the last day of the decision is past."""
        return self.valid_until is not None and today > date.fromisoformat(self.valid_until)

    def write_spec(self, folder: Path | None = None) -> dict[str, Any]:
        """What a policy file says of it."""
        said = {key: getattr(self, key) for key in KEYS}
        said |= {key: list(said[key]) for key in LISTS}
        if self.threshold is not None:
            said["threshold"] = self.threshold.write_spec()
        return _drop_empty(said)

    def facts(self) -> dict[str, Any]:
        """What it says as plain data, with environment and threshold in sentences."""
        said = self.write_spec()
        if self.environment is not None:
            said["environment"] = f"{self.environment}: {ENVIRONMENTS[self.environment]}"
        if self.threshold is not None:
            value, reason = self.threshold.value, self.threshold.explanation
            said["threshold"] = {**said["threshold"], "risk": value, "reason": reason}
        return said


def note_validity(policy: Policy, today: date | None = None) -> str:
    """A sentence that the decision is out of date; empty while it is not."""
    about = policy.about
    if about is None or not about.is_over(today or datetime.now(UTC).date()):
        return ""
    return (
        f"The policy was valid until {about.valid_until} (about.valid_until). Review the release, "
        "then change the date or withdraw the file."
    )


# How a policy file writes it


KEYS = tuple(part.name for part in fields(About))
LISTS = ("controls", "reviewed_by")
LONGEST, MOST = 5000, 100
"""Characters of a text and items of a list: this is a summary for a report, not a document."""
EXAMPLE = "Write about: {title: Hospital visits, purpose: research}."


def parse_about(value: Any) -> About:
    """What a policy writes under ``about``."""
    if isinstance(value, About):
        return parse_about(value.write_spec())
    if not isinstance(value, Mapping):
        what = f"needs keys such as title, there is {describe_value(value)}."
        raise make_mistake(f"{what} {EXAMPLE}")
    _refuse_unknown(value, KEYS, ())
    parsers: dict[str, Callable[[Any], Any]] = {
        "environment": _parse_environment,
        "url": _parse_url,
        "valid_until": _parse_day,
        "threshold": _parse_threshold,
    }
    texts = [key for key in KEYS if key not in (*LISTS, *parsers)]
    given = {key: one for key, one in value.items() if one is not None}
    said: dict[str, Any] = {k: _parse_text(given[k], (k,)) for k in texts if k in given}
    said |= {k: _parse_texts(given[k], (k,)) for k in LISTS if k in given}
    return About(**said, **{key: parsers[key](given[key]) for key in parsers if key in given})


def _refuse_unknown(value: Mapping[Any, Any], keys: Iterable[str], here: Key) -> None:
    for key in value:
        if key not in keys:
            meant = SYNONYMS.get(str(key).casefold(), key)
            raise make_mistake(f"is not a key here. {did_you_mean(meant, keys)}", (*here, str(key)))


SYNONYMS = {
    "license": "licence",
    "name": "title",
    "owner": "holder",
    "controller": "holder",
    "expires": "valid_until",
    "reviewers": "reviewed_by",
    "max": "risk",
}
"""Words that people use for our keys."""


def _parse_text(value: Any, here: Key) -> str:
    if not isinstance(value, str):
        quoted = f" Use quotes: '{value}'." if type(value) in (int, float) else ""
        raise make_mistake(f"needs text, there is {describe_value(value)}.{quoted}", here)
    text = value.strip()
    if not text or not text.replace("\n", " ").replace("\t", " ").isprintable():
        what = "the text is empty or has characters that cannot be seen. Write it, or remove it."
        raise make_mistake(what, here)
    if len(text) > LONGEST:
        what = f"the text has {len(text):,} characters, and at most {LONGEST:,} are allowed."
        raise make_mistake(f"{what} Refer to the document instead.", here)
    return text


def _parse_texts(value: Any, here: Key) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        what = f"needs a list of texts, there is {describe_value(value)}. Write [a, b]."
        raise make_mistake(what, here)
    if len(value) > MOST:
        what = f"the list has {len(value):,} items, and at most {MOST:,} are allowed."
        raise make_mistake(f"{what} Refer to a document instead.", here)
    return tuple(_parse_text(one, (*here, number)) for number, one in enumerate(value))


def _parse_environment(value: Any) -> str:
    if isinstance(value, str) and value in ENVIRONMENTS:
        return value
    what = f"{describe_value(value)} is not an environment. {did_you_mean(value, ENVIRONMENTS)}"
    raise make_mistake(what, ("environment",))


def _parse_url(value: Any) -> str:
    text = _parse_text(value, ("url",))
    if not text.startswith(("https://", "http://")) or any(one.isspace() for one in text):
        what = "needs an address such as https://hospital.example/visits."
        raise make_mistake(what, ("url",))
    return text


def _parse_day(value: Any) -> str:
    """A day; Python may give it as a date."""
    if type(value) is date:
        return value.isoformat()
    try:
        if isinstance(value, str) and len(value) == len("2030-12-31"):
            return date.fromisoformat(value).isoformat()
    except ValueError:
        pass
    what = f"needs a day such as 2030-12-31, there is {describe_value(value)}."
    raise make_mistake(what, ("valid_until",))


def _parse_threshold(value: Any) -> Threshold:
    here: Key = ("threshold",)
    if isinstance(value, Threshold):
        value = value.write_spec()
    if not isinstance(value, Mapping):
        what = f"needs a preset or a risk with its reason, there is {describe_value(value)}."
        raise make_mistake(f"{what} Write {{preset: cell size 5}}.", here)
    _refuse_unknown(value, [part.name for part in fields(Threshold)], here)
    preset, risk, reason = (value.get(key) for key in ("preset", "risk", "reason"))
    if preset is not None:
        if not isinstance(preset, str) or preset not in THRESHOLDS:
            what = f"{describe_value(preset)} is not a preset. {did_you_mean(preset, THRESHOLDS)}"
            raise make_mistake(what, (*here, "preset"))
        if risk is not None or reason is not None:
            what = "a preset has its own risk and reason. Remove them, or remove the preset."
            raise make_mistake(what, here)
        return Threshold(preset)
    number = _parse_risk(risk, (*here, "risk"))
    if reason is None:
        what = "is missing. A threshold of your own needs a reason; or name a preset."
        raise make_mistake(what, (*here, "reason"))
    return Threshold(None, number, _parse_text(reason, (*here, "reason")))


def _parse_risk(value: Any, here: Key) -> float:
    if value is None:
        names = ", ".join(THRESHOLDS)
        raise make_mistake(f"is missing. Give a risk and its reason, or a preset: {names}.", here)
    wanted = "is a chance above 0 and at most 1; there is"
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise make_mistake(f"{wanted} {describe_value(value)}.{hint_unquoted(value)}", here)
    if 0 < value <= 1:
        return float(value)
    raise make_mistake(f"{wanted} {describe_value(value)}.{hint_percent(value)}", here)


def _drop_empty(said: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in said.items() if value not in (None, "", [], {})}
