"""Nothing that Python prints of our objects holds a private value, however deep one looks."""

from __future__ import annotations

import dataclasses
import functools
import importlib
import inspect
import pkgutil
import pprint
import re
from collections.abc import Callable, Iterator
from enum import Enum
from io import StringIO
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pytest
from pydantic import BaseModel
from rich.console import Console
from rich.pretty import pprint as rich_pprint

import discreet
from discreet import algorithms, techniques
from discreet.display import dataclass, render_html_table, show_fields
from discreet.errors import DiscreetError
from discreet.hierarchy import Tree

MARKED = re.compile(r"Zq7|(?<![\d.])7391|2099-|\bs3cret|1f1f1f|\\x1f\\x1f|31, 31, 31")
"""What is in cells, texts and keys here, and in nothing else; digits of seconds do not count."""

ROWS = 48
KEY = bytes([31]) * 32


def table(rows: int = ROWS) -> pa.Table:
    """A table with a mark in every cell."""
    numbers = range(rows)
    return pa.table(
        {
            "name": [f"Zq7name{n}" for n in numbers],
            "city": [f"Zq7city{n % 4}" for n in numbers],
            "street": [f"Zq7street{n % 3}" for n in numbers],
            "age": [f"7391{n % 4}" for n in numbers],
            "seen": [f"2099-0{1 + n % 4}-11" for n in numbers],
            "ill": [f"Zq7ill{(n * 7) % 5}" for n in numbers],
        }
    )


CITIES = Tree(
    {"Zq7all": {f"Zq7half{h}": [f"Zq7city{2 * h}", f"Zq7city{2 * h + 1}"] for h in (0, 1)}}
)
COLUMNS: dict[str, Any] = {
    "city": {"role": "quasi", "hierarchy": CITIES},
    "street": {"role": "quasi"},
    "age": {"role": "quasi", "hierarchy": {"intervals": [2, 4]}},
    "ill": {"role": "sensitive"},
}


def policy(**more: Any) -> discreet.Policy:
    given = {"columns": COLUMNS, "require": [{"k_anonymity": {"k": 3}}], "suppress": 0.5, "seed": 1}
    return discreet.Policy(**{**given, **more})


def walk(root: Any) -> Iterator[tuple[str, Any]]:
    """Every object of ours that can be reached, with the way to it."""
    seen: set[int] = set()
    kept = []  # so that no number of an object is used twice
    left = [("", root)]
    while left:
        way, one = left.pop()
        if id(one) in seen or len(way) > 400:
            continue
        seen.add(id(one))
        kept.append(one)
        if isinstance(one, dict):
            left += [(f"{way}[...]", item) for item in (*one, *one.values())]
        elif isinstance(one, list | tuple | set | frozenset) and not hasattr(one, "_fields"):
            left += [(f"{way}[...]", item) for item in list(one)[:50]]
        if isinstance(one, functools.partial):
            yield f"{way} (partial)", one
            left += [(f"{way}(...)", item) for item in (*one.args, *one.keywords.values())]
        if not type(one).__module__.startswith("discreet"):
            continue
        yield f"{way} ({type(one).__qualname__})", one
        names = [*getattr(one, "__dict__", ()), *getattr(one, "_fields", ())]
        for kind in type(one).__mro__:
            slots = kind.__dict__.get("__slots__", ())
            names += [slots] if isinstance(slots, str) else slots
            ours = kind.__module__.startswith("discreet")
            names += [n for n, got in vars(kind).items() if ours and isinstance(got, property)]
        for name in names:
            try:
                left.append((f"{way}.{name}", getattr(one, name)))
            except Exception:  # noqa: BLE001 - a property that does not apply here
                continue


def printed(one: Any) -> Iterator[tuple[str, str]]:
    """Everything that Python, a notebook or a debugger prints of an object."""
    yield "repr", repr(one)
    if not isinstance(one, str):
        yield "str", str(one)
        yield "format", f"{one}"
    if hasattr(one, "_repr_html_"):
        yield "html", one._repr_html_()


def leaks(root: Any) -> list[str]:
    found = []
    for way, one in walk(root):
        for how, text in printed(one):
            plain = re.sub(r" at 0x[0-9a-f]+", "", text)  # an address can look like a mark
            if MARKED.search(plain) and not isinstance(one, str):
                found.append(f"{way} {how}: {text[:200]}")
    return found


def anonymized() -> Iterator[Any]:
    for algorithm in algorithms.ALL:
        try:
            yield discreet.anonymize(table(), policy(algorithm=algorithm.name))
        except DiscreetError as error:
            yield error


def with_promises() -> Iterator[Any]:
    require = [
        {"k_anonymity": {"k": 3}},
        {"l_diversity": {"column": "ill", "ell": 2}},
        {"t_closeness": {"column": "ill", "t": 0.9}},
    ]
    yield discreet.anonymize(table(), policy(require=require))
    yield discreet.anonymize(table(), policy(suppressed_rows="keep", missing="wildcard"))
    yield discreet.anonymize(table(), policy(), part=discreet.Part(where="city = 'Zq7city1'"))
    yield discreet.Part(where="city = 'Zq7city1'")


def compared() -> Iterator[Any]:
    found = discreet.compare(table(), policy(), ["optimal", "datafly", "mondrian"])
    yield from (found, found.facts())


def verified() -> Iterator[Any]:
    release = discreet.anonymize(table(), policy()).to_arrow()
    yield discreet.verify(release, policy())
    yield discreet.verify(table(), policy(), original=table())
    yield discreet.attack(release, policy(), original=table(), register=table(), earlier=[table()])
    yield discreet.link(release, table(), ["street"], policy())


def inspected(tmp_path: Path) -> Iterator[Any]:
    from discreet.identification.keys.coded_table import CodedTable
    from discreet.identification.keys.masking import Masking
    from discreet.identification.keys.minimal_sets import MinimalSets
    from discreet.identification.keys.minimum_key import MinimumKey

    source = discreet.read(table())
    yield from (source, discreet.inspect(source))
    coded = CodedTable.of(source)
    for search in (Masking("distinct", 0.5), MinimalSets(), MinimumKey()):
        yield from (search, search(coded))
    yield coded
    pyarrow.csv.write_csv(table(), tmp_path / "people.csv")
    yield discreet.read(tmp_path / "people.csv")
    pyarrow.feather.write_feather(table(), str(tmp_path / "people.feather"))
    yield discreet.read(tmp_path / "people.feather")


def risked() -> Iterator[Any]:
    from discreet.frequency.count import count
    from discreet.pipeline.levels import LevelsOf
    from discreet.risks.special_uniques import SpecialUniques
    from discreet.risks.table_risk import TableRisk

    source = discreet.read(table())
    counted = count(source, ["city", "street", "age"], ["ill"])
    yield from (counted, TableRisk(population=1000)(counted.frequency), LevelsOf())
    yield SpecialUniques()(counted.frequency)


def checked_by_rules() -> Iterator[Any]:
    from discreet.safe_harbor.check import check_safe_harbor

    found = check_safe_harbor(discreet.read(table()))
    yield from (found, found.facts())


def changed() -> Iterator[Any]:
    from discreet.pseudonyms.pseudonymize import Pseudonymize
    from discreet.techniques.suggested import suggest_techniques

    columns = ("city", "age", "ill")
    rows = table()
    source = discreet.read(rows)
    found = suggest_techniques(rows, columns)
    yield found
    yield [technique(source, 1) for technique in found.techniques]
    yield techniques.Substitute(("city",), replacements={"Zq7city1": "Zq7other"})
    hide = Pseudonymize(("name",), discreet.ReplacementKey(KEY))
    yield from (hide, hide(source))
    steps = [
        {"swap": {"columns": ["ill"]}},
        {"suppress_values": {"columns": ["ill"], "share": 0.1}},
    ]
    yield discreet.anonymize(rows, policy(techniques=steps))


def released_again(tmp_path: Path) -> Iterator[Any]:
    with discreet.Ledger.open(tmp_path / "ledger") as ledger:
        release = discreet.anonymize_again(table(), policy(), ledger, "public")
        release.write(tmp_path / "first.csv")
        yield release
        yield discreet.anonymize_again(table(), policy(), ledger, "public")
        yield ledger


def of_people() -> Iterator[Any]:
    rows = pa.concat_tables([table(), table()])
    about = policy(people={"column": "name"}, algorithm="optimal")
    yield discreet.anonymize(rows, about)
    columns = {f"{place}.{name}": said for place in "ab" for name, said in COLUMNS.items()}
    together = policy(people={"column": "name"}, columns=columns)
    found = discreet.together({"a": table(), "b": rows}, together)
    yield from (found, discreet.verify_together(found.to_arrow(), together))


def scrubbed() -> Iterator[Any]:
    text = "Mr. Adam Zq7name was seen by Dr. Zq7other on 2099-03-01. Call 617-555-7391."
    scrubber = discreet.Scrubber(people=("Adam Zq7name",))
    findings = scrubber.find(text, person="Zq7person")
    replacer = discreet.Replacer(key=discreet.ReplacementKey(KEY), avoid=frozenset({"Zq7avoid"}))
    yield from (scrubber, findings, scrubber.candidates(text))
    yield from (replacer.apply(text, findings, person="Zq7person"), replacer)
    free = {**COLUMNS, "name": {"role": "text", "scrub": {"people": ["Zq7person"]}}}
    try:
        yield policy(columns=free)
    except DiscreetError as error:
        yield error


def policies() -> Iterator[Any]:
    yield policy()
    made = policy(techniques=[{"suppress_values": {"columns": ["ill"], "share": 0.1}}])
    yield from (made, made.columns["city"], made.columns)


def refused(tmp_path: Path) -> Iterator[Any]:
    """Errors, as far as the data makes them."""
    of_numbers = {"city": {"role": "quasi", "hierarchy": {"intervals": [2]}}}
    wrong: list[Callable[[], Any]] = [
        lambda: discreet.anonymize(table(), policy(columns={"nobody": {"role": "quasi"}})),
        lambda: discreet.anonymize(table(2), policy()),
        lambda: discreet.link(table(), pa.table({"city": ["Zq7x"]}), ["street"]),
        lambda: discreet.anonymize(table(), policy(columns={**COLUMNS, **of_numbers})),
    ]
    for one in wrong:
        with pytest.raises(DiscreetError) as caught:
            one()
        yield caught.value


RUNS = [
    anonymized, with_promises, compared, verified, inspected, risked, checked_by_rules, changed,
    released_again, of_people, scrubbed, policies, refused,
]  # fmt: skip


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.__name__)
def test_no_repr_of_a_result_or_of_what_it_holds_has_a_private_value(run, tmp_path):
    results = list(run(tmp_path) if inspect.signature(run).parameters else run())
    assert results
    for result in results:
        assert leaks(result) == []
        if hasattr(result, "facts") and getattr(result, "part", None) is None:
            assert not MARKED.search(repr(result.facts()))


def classes() -> Iterator[type]:
    for module in pkgutil.walk_packages(discreet.__path__, "discreet."):
        if not module.name.endswith("__main__"):
            for one in vars(importlib.import_module(module.name)).values():
                if inspect.isclass(one) and one.__module__ == module.name:
                    yield one


def prints_its_fields(one: type) -> bool:
    """Whether Python made the repr of a class: it would print every value that it is given."""
    if issubclass(one, Enum | BaseException) and not dataclasses.is_dataclass(one):
        return False
    if issubclass(one, BaseModel):
        return one.__repr_args__ is BaseModel.__repr_args__
    if dataclasses.is_dataclass(one):
        return one.__dataclass_params__.repr or hasattr(one.__repr__, "__wrapped__")
    if issubclass(one, tuple) and hasattr(one, "_fields"):
        return one.__repr__.__qualname__.endswith("namedtuple.<locals>.__repr__") or (
            one.__repr__.__module__.startswith(("collections", "namedtuple"))
        )
    return any(one.__repr__ is base.__repr__ for base in (tuple, list, dict, set, frozenset, str))


def test_no_class_of_the_package_has_a_repr_that_prints_its_fields():
    found = list(classes())
    assert len(found) > 500
    assert [f"{one.__module__}.{one.__qualname__}" for one in found if prints_its_fields(one)] == []


def test_the_check_of_classes_finds_what_python_makes():
    from typing import NamedTuple

    @dataclasses.dataclass
    class Plain:
        values: tuple[str, ...]

    class Pair(NamedTuple):
        values: tuple[str, ...]

    class Texts(list[str]):
        pass

    class Model(BaseModel):
        values: tuple[str, ...]

    assert all(prints_its_fields(one) for one in (Plain, Pair, Texts, Model))


@dataclass(frozen=True)
class Holder:
    column: str
    rows: int
    values: tuple[str, ...]
    inner: Any = None


def test_printers_that_look_into_dataclasses_show_no_value_either():
    one = Holder("name", 2, ("Zq7",), Holder("city", 1, ("Zq7",)))
    screen = StringIO()
    rich_pprint(one, console=Console(file=screen))
    for text in (pprint.pformat([one], width=10), screen.getvalue(), repr([one])):
        assert "Zq7" not in text and "name" in text


def test_a_number_that_is_somebody_s_is_not_shown():
    @dataclass
    class Told:
        rows: int
        year: int

    assert repr(Told(7, 1964)).endswith("Told(rows=7, year=...)")


def test_a_class_keeps_a_repr_of_its_own_and_its_heirs_have_it():
    @dataclass
    class Own:
        values: str

        def __repr__(self) -> str:
            return "Own"

    @dataclass
    class Heir(Own):
        more: str

    assert (repr(Own("Zq7")), repr(Heir("Zq7", "Zq7"))) == ("Own", "Own")
    assert Holder.__repr__ is show_fields


def test_a_result_says_in_one_line_what_it_is():
    release = discreet.anonymize(table(), policy())
    assert repr(release) == f"Release({release.rows} rows, 4 columns, 1 of 1 promise holds)"
    assert repr(discreet.read(table())) == "Table(Arrow frame, 6 columns)"
    assert repr(policy()).startswith("Policy(quasi=('city', 'street', 'age'), sensitive=('ill',)")
    several = [{"k_anonymity": {"k": 13}}, {"l_diversity": {"column": "ill", "ell": 1}}]
    found = discreet.verify(table().drop(["name", "seen"]), policy(require=several))
    assert repr(found) == "Verification(48 rows, 1 of 2 promises hold)"


def test_html_for_notebooks_is_escaped():
    shown = discreet.read(pa.table({"<script>": ["Zq7"]}))._repr_html_()
    assert "<script>" not in shown and "&lt;script&gt;" in shown and "Zq7" not in shown
    made = render_html_table("<i>", ["<b>"], [["<u>", 1.5, None, True]])
    assert not re.search("<[ibu]>", made)


def test_a_mistake_in_the_policy_of_a_column_does_not_print_what_was_given():
    with pytest.raises(ValueError) as caught:
        discreet.ColumnPolicy(role="quasi", hierarchies=CITIES, more=["Zq7city1"])  # type: ignore[call-arg]
    assert "Zq7" not in str(caught.value) + repr(caught.value)
