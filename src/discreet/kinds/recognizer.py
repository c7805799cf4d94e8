"""One kind of column that can give a person away, and how it is recognized."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum

from discreet.display import dataclass
from discreet.table.table import Role

Check = Callable[[str], bool]

MISSING_MARKS = (
    "?", "-", "--", "---", ".", "..", "NA", "N/A", "n/a", "na", "#N/A", "NaN", "nan", "NULL",
    "null", "None", "nil", "missing", "Missing", "MISSING", "unknown", "Unknown",
    "UNKNOWN", "unbekannt", "onbekend", "inconnu", "desconocido", "k.A.", "k. A.",
    "not available", " ",
)  # fmt: skip
"""What people write for unknown values."""


_CODE = re.compile(r"(?=.*\d)[A-Za-z0-9./ _-]{3,30}")


def is_code(value: str) -> bool:
    """One word of digits and letters, as numbers of records and accounts are."""
    return _CODE.fullmatch(value) is not None


def is_anything(value: str) -> bool:
    """Values of which no form is known: the name of the column is enough."""
    return True


class Item(StrEnum):
    """The eighteen identifiers that must go before data are called de-identified under HIPAA.

    Notes
    -----
    45 CFR 164.514(b)(2)(i), letters (A) to (R).
    """

    NAMES = "(A) names"
    PLACES = "(B) geographic subdivisions smaller than a state"
    DATES = "(C) dates about a person, and ages over 89"
    PHONE = "(D) telephone numbers"
    FAX = "(E) fax numbers"
    MAIL = "(F) e-mail addresses"
    SSN = "(G) social security numbers"
    RECORD = "(H) medical record numbers"
    PLAN = "(I) health plan beneficiary numbers"
    ACCOUNT = "(J) account numbers"
    LICENCE = "(K) certificate or license numbers"
    VEHICLE = "(L) vehicle identifiers and license plates"
    DEVICE = "(M) device identifiers and serial numbers"
    URL = "(N) URLs"
    IP = "(O) IP addresses"
    BIOMETRIC = "(P) biometric identifiers"
    PHOTO = "(Q) full-face photographs"
    OTHER = "(R) any other unique identifying number, characteristic or code"


class Special(StrEnum):
    """Data with special protection under the GDPR: articles 9(1) and 10."""

    ORIGIN = "racial or ethnic origin"
    POLITICS = "political opinions"
    RELIGION = "religious or philosophical beliefs"
    UNION = "trade union membership"
    GENES = "genetic data"
    BIOMETRICS = "biometric data"
    HEALTH = "data concerning health"
    SEX_LIFE = "sex life or sexual orientation"
    OFFENCES = "criminal convictions and offences"

    @property
    def article(self) -> str:
        """The article that names it, for people who look it up."""
        return "GDPR article 10" if self is Special.OFFENCES else "GDPR article 9"


@dataclass(frozen=True)
class Recognizer:
    """How a kind of column is recognized: by possible names and by the form of its values.

    `names` are phrases of a column's name; one that starts with `=` must be the whole name.
    `compounds` are parts of German words: `-einkommen` ends a longer word, `einkommens-` begins
    one. Those of both that are `vague` (result, cost, condition) mean this only in a table about
    people, and so do the values if `vague_proof`. `coded` is a regular expression for the whole
    name in lower case, without its separators: what standards of data call such a column
    (`INCTOT`, `LBXGLU`, `AETERM`), which no word gives away.
    `fits` is what the values of a column so named must look like (a column `has_phone` of yes and
    no holds no phone numbers). `proof` recognizes values without any help from the name; when
    `weak` it counts only if the name says nothing; it takes at least a `share` of the different
    values, and `least` of them. `chance` is how often a meaningless value of the same shape would
    pass the proof, so that a few lucky check digits prove nothing.

    Two fields are for safe harbor alone. `safe_harbor_names` are names that its rules cover and an
    inspection does not go by. `form` is a regular expression that nothing else looks like, so that
    it breaks a rule in whatever column it is; the engine searches all rows for it.

    >>> from discreet.kinds.contact import MAIL
    >>> MAIL.proof("someone@example.org")
    True
    """

    kind: str
    words: str
    family: str
    role: Role
    item: Item | None = None
    names: tuple[str, ...] = ()
    fits: Check | None = None
    proof: Check | None = None
    weak: bool = False
    share: float = 0.8
    least: int = 1
    chance: float = 0.0
    examples: tuple[str, ...] = ()
    counterexamples: tuple[str, ...] = ()
    safe_harbor_names: tuple[str, ...] = ()
    form: str | None = None
    compounds: tuple[str, ...] = ()
    coded: str | None = None
    vague: tuple[str, ...] = ()
    vague_proof: bool = False
    special: Special | None = None

    def accepts(self, value: str) -> bool:
        """Whether a value may stand in a column with this name."""
        check = self.fits or self.proof
        return check is None or check(value)

    @property
    def checks_values(self) -> bool:
        """Whether the values of a column with this name have a say."""
        return (self.fits or self.proof) not in (None, is_anything)
