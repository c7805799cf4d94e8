"""Standards of codes whose first characters are groups: ISCO, SOC, NACE, NAICS, ICD and ATC."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property

from discreet.hierarchy.known.spelling import Spellings, list_spellings
from discreet.hierarchy.known.tree_file import LabelPath, read_lines

Reader = Callable[[str], str | None]
_CODE = re.compile(r"[A-Z]|\d+(?:-\d+)?")


class PrefixCodes:
    """A standard whose groups are prefixes of its codes, some of them with a title.

    Parameters
    ----------
    file
        The titles: lines of ``code title | everyday names``. A code ``31-33`` is a group of codes.
    levels
        The name of each level and the length of its prefix, the finest first; length 0 means the
        top groups of the file.
    read
        Returns the plain code of a text, or None if it is not a code.
    sure
        The number of first characters that must be in the file, if a code has as many.
    write
        Writes a group that has no title.
    """

    def __init__(
        self,
        file: str,
        levels: dict[str, int],
        read: Reader,
        sure: int,
        write: Callable[[str], str] = str,
    ) -> None:
        self.levels = tuple(levels)
        self._lengths = tuple(levels.values())
        self._read, self._write, self._sure = read, write, sure
        self._titles: dict[str, str] = {}
        self._above: dict[str, str] = {}
        self._named: dict[str, set[str]] = {}
        for above, line, others in read_lines(file):
            code, _, title = line.partition(" ")
            if not _CODE.fullmatch(code):  # a group of groups, which has no code
                continue
            for one in _list_codes(code):
                self._titles[one] = line
                if above:
                    self._above[one] = above[0]
            plain = _list_codes(code)[0]
            for name in (title, *others):
                for key in list_spellings(name):
                    self._named.setdefault(key, set()).add(plain)

    @cached_property
    def spellings(self) -> Spellings[str]:
        """The codes by their titles and everyday names.

        A name shared by nested groups means the widest of them.
        """
        widest = {key: min(codes, key=lambda c: (len(c), c)) for key, codes in self._named.items()}
        return Spellings(
            {
                key: code
                for key, code in widest.items()
                if all(self._holds(code, other) for other in self._named[key])
            }
        )

    def _holds(self, group: str, code: str) -> bool:
        return code.startswith(group) or self._above.get(code, "").partition(" ")[0] == group

    def find(self, text: str) -> LabelPath | None:
        """The name of a code or title at each level, or None if the text is neither."""
        return self._find_code(text) or self._name(self.spellings.find(text))

    def find_exact(self, text: str) -> LabelPath | None:
        """The same, for correctly spelled titles only."""
        return self._find_code(text) or self._name(self.spellings.find_exact(text))

    def _find_code(self, text: str) -> LabelPath | None:
        code = self._read(text)
        known = code is not None and code[: self._sure] in self._titles
        return self._name(code) if known else None

    def _name(self, code: str | None) -> LabelPath | None:
        if code is None:
            return None
        labels: list[str] = []
        for length in self._lengths:
            if length == 0:
                labels.append(self._above.get(code[: self._sure], self._title(code)))
            else:
                labels.append(self._title(code[:length]))
        return tuple(labels)

    def _title(self, code: str) -> str:
        return self._titles.get(code) or self._write(code)


def _list_codes(code: str) -> tuple[str, ...]:
    """The codes of a group: ``31-33`` is 31, 32 and 33; any other code is itself.

    >>> _list_codes("31-33"), _list_codes("62")
    (('31', '32', '33'), ('62',))
    """
    first, dash, last = code.partition("-")
    if not dash:
        return (code,)
    return tuple(f"{number:0{len(first)}d}" for number in range(int(first), int(last) + 1))


class RangedCodes:
    """A standard whose groups are ranges of codes: the chapters and blocks of ICD.

    Parameters
    ----------
    file
        Chapters, and blocks under them: lines of ``I00-I99 title``. Codes that belong to a block
        but are outside of its range follow after ``|``.
    levels
        The names of the levels, the finest first.
    read
        Returns the names of a text at the levels below the blocks, its category last, or None if it
        is not a code.
    """

    def __init__(
        self, file: str, levels: tuple[str, ...], read: Callable[[str], tuple[str, ...] | None]
    ) -> None:
        self.levels = levels
        self._read = read
        self._blocks: list[tuple[str, str, str]] = []
        self._chapters: list[tuple[str, str, str]] = []
        self._single: dict[str, str] = {}
        for above, line, others in read_lines(file):
            first, _, last = line.partition(" ")[0].partition("-")
            (self._blocks if above else self._chapters).append((first, last or first, line))
            self._single |= dict.fromkeys(others, line)
            if not last and above:
                self._single[first] = line

    def find(self, text: str) -> LabelPath | None:
        """The name of a code at each level, or None if no chapter contains it."""
        below = self._read(text)
        if below is None:
            return None
        chapter = self._find_range(self._chapters, below[-1])
        if chapter is None:
            return None
        block = self._single.get(below[-1]) or self._find_range(self._blocks, below[-1])
        return (*below, block or chapter, chapter)

    find_exact = find

    def _find_range(self, ranges: list[tuple[str, str, str]], category: str) -> str | None:
        fits = (
            title
            for first, last, title in ranges
            if first <= category <= last and len(first) == len(category)
        )
        return next(fits, None)


# How the codes of each standard are read.


_ISCO = re.compile(r"(?:ISCO[- ]?(?:08)?[:\- ]*)?(\d{1,4})", re.IGNORECASE)
_SOC = re.compile(r"(\d\d)[- ]?(\d{4})(?:\.\d\d)?")
_NACE = re.compile(r"([A-U])?\s?(\d\d)(?:\.?(\d)(?:\.?(\d)(?:\.?\d{1,2})?)?)?")
_NACE_SECTION = re.compile(r"[A-U]")
_NAICS = re.compile(r"\d{2,6}")
_ICD10 = re.compile(r"([A-Z]\d\d)(?:\.?(\d)(\d)?|\.-)?(?:[†*!+]|\.?-)?")
_ICD10_CM = re.compile(r"([A-Z]\d[0-9A-Z]|QA0)(?:\.([0-9A-Z]{1,4})|([0-9][0-9A-Z]{0,3}))?")
_ICD9 = re.compile(r"(\d{3}|V\d{2}|E\d{3})(?:\.?(\d{1,2}))?")
_ATC = re.compile(r"[ABCDGHJLMNPRSV]\d\d(?:[A-Z](?:[A-Z](?:\d\d)?)?)?")


def read_isco(text: str) -> str | None:
    """The digits of an ISCO-08 code."""
    match = _ISCO.fullmatch(text.strip())
    return match[1] if match else None


def read_soc(text: str) -> str | None:
    """The six digits of an SOC code: 29-1141 and 29-1141.00 are 291141."""
    match = _SOC.fullmatch(text.strip())
    return match[1] + match[2] if match else None


def write_soc(code: str) -> str:
    """A group of SOC codes by its first digits: 291 is 29-1xxx.

    >>> write_soc("291"), write_soc("291141")
    ('29-1xxx', '29-1141')
    """
    return f"{code[:2]}-{code[2:]}{'x' * (6 - len(code))}"


def read_naics(text: str) -> str | None:
    """The two to six digits of a NAICS code."""
    plain = text.strip()
    return plain if _NAICS.fullmatch(plain) else None


class Nace(PrefixCodes):
    """NACE Rev. 2, whose sections are letters above the digits."""

    def __init__(self) -> None:
        levels = {"class": 4, "group": 3, "division": 2, "section": 0}
        super().__init__("nace.txt", levels, self._read_nace, 2, _write_nace)

    def _read_nace(self, text: str) -> str | None:
        plain = text.strip().upper()
        if _NACE_SECTION.fullmatch(plain):
            return plain
        match = _NACE.fullmatch(plain)
        if match is None:
            return None
        section = self._above.get(match[2], "")
        if match[1] and not section.startswith(f"{match[1]} "):
            return None
        return "".join(match[part] or "" for part in (2, 3, 4))


def _write_nace(code: str) -> str:
    return f"{code[:2]}.{code[2:]}" if len(code) > 2 else code


LETTERS_NEEDED = 5
DOTTED_NEEDED = 0.5
IN_BLOCK_NEEDED = 0.95
CAUSES_ALLOWED = 0.1
FILLED_ALLOWED = 0.5


def look_like_diagnoses(codes: Sequence[str], paths: Sequence[LabelPath]) -> bool:
    """Whether codes are ICD-10 codes, and not other things with a letter and digits.

    A diagnosis begins with a letter, two digits and a dot. A column of diagnoses has many letters,
    nearly all of its categories in a block of the standard, few codes in the chapters on causes (U
    to Y), and most numbers unused; rooms, courses and sequence numbers fill a range.

    >>> look_like_diagnoses(["V101", "V102"], [("V10.1", "V10.1", "V10", "V10-V19", "V01-Y98")] * 2)
    False
    """
    plain = [code.strip().upper() for code in codes]
    long = [code for code in plain if len(code) > 3]
    dotted = sum(code[3] == "." for code in long)
    categories = {path[-3] for path in paths}
    letters, numbers = ({part(one) for one in categories} for part in (_get_letter, _get_number))
    causes = sum(one[0] in "UVWXY" for one in plain)
    in_block = sum(path[-2] != path[-1] for path in paths)
    return (
        len(letters) >= LETTERS_NEEDED
        and dotted >= DOTTED_NEEDED * len(long)
        and in_block >= IN_BLOCK_NEEDED * len(paths)
        and causes <= CAUSES_ALLOWED * len(plain)
        and len(categories) <= FILLED_ALLOWED * len(letters) * len(numbers)
    )


def _get_letter(category: str) -> str:
    return category[0]


def _get_number(category: str) -> str:
    return category[1:]


def read_icd10(text: str) -> tuple[str, ...] | None:
    """A code of ICD-10 or a modification with at most five characters, without its marks.

    >>> read_icd10("e1130"), read_icd10("I25")
    (('E11.30', 'E11.3', 'E11'), ('I25', 'I25', 'I25'))
    """
    match = _ICD10.fullmatch(text.strip().upper())
    if match is None:
        return None
    category, fourth, fifth = match[1], match[2] or "", match[3] or ""
    subcategory = f"{category}.{fourth}" if fourth else category
    return subcategory + fifth, subcategory, category


def read_icd10_cm(text: str) -> tuple[str, ...] | None:
    """A code of ICD-10-CM with up to seven characters.

    >>> read_icd10_cm("S72.001A")
    ('S72.001A', 'S72.0', 'S72')
    """
    plain = text.strip().upper()
    match = _ICD10_CM.fullmatch(plain)
    if match is None or (len(plain) == 7 and _ATC.fullmatch(plain)):
        return None
    category, rest = match[1], match[2] or match[3] or ""
    code = f"{category}.{rest}" if rest else category
    return code, code[:5], category


def read_icd9(text: str) -> tuple[str, ...] | None:
    """A diagnosis of ICD-9-CM: 250.01 and 25001 are the same.

    >>> read_icd9("25001"), read_icd9("V45")
    (('250.01', '250'), ('V45', 'V45'))
    """
    match = _ICD9.fullmatch(text.strip().upper())
    if match is None:
        return None
    return f"{match[1]}.{match[2]}" if match[2] else match[1], match[1]


class Atc:
    """The Anatomical Therapeutic Chemical classification, by the structure of its codes."""

    levels = (
        "substance",
        "chemical subgroup",
        "pharmacological subgroup",
        "therapeutic subgroup",
        "anatomical group",
    )

    def __init__(self) -> None:
        self._groups = {line.name[0]: line.name for line in read_lines("atc.txt")}

    def find(self, text: str) -> LabelPath | None:
        """The name at each level of a code of three or more characters."""
        code = text.strip().upper()
        if not _ATC.fullmatch(code):
            return None
        return (*(code[:length] for length in (7, 5, 4, 3)), self._groups[code[0]])

    find_exact = find
