"""verify against tables small enough to count by hand."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

import discreet.pipeline.verify as module
from discreet.errors import DiscreetError
from discreet.hierarchy import Tree
from discreet.models import (
    AverageRisk,
    BetaLikeness,
    DeltaDisclosure,
    KAnonymity,
    LargestRisk,
    LDiversity,
    SampleUniques,
    TCloseness,
)
from discreet.pipeline.verify import verify
from tests.pipeline.promises import only_verdict, promise, released

SIZES = released("age zip", [("3*", "021")] * 3 + [("4*", "021")] * 2 + [("4*", "022")])
WARD = released(
    "age ill",
    [("3*", v) for v in ("flu", "flu", "flu", "hiv")]
    + [("4*", v) for v in ("flu", "hiv", "gout", "gout")],
)


def test_smallest_class_is_measured_and_its_rows_are_at_risk() -> None:
    verdict = only_verdict(SIZES, promise(KAnonymity(3), quasi="age zip"))
    assert (verdict.holds, verdict.measured, verdict.limit) == (False, 1, 3)
    assert (verdict.rows_at_risk, verdict.columns) == (3, ("age", "zip"))


def test_each_model_has_its_own_quasi_identifier() -> None:
    models = KAnonymity(1), KAnonymity(3, columns=("age",)), KAnonymity(2, columns=("zip",))
    verdicts = verify(SIZES, promise(*models, quasi="age zip")).verdicts
    assert [v.measured for v in verdicts] == [1, 3, 1]
    assert [v.holds for v in verdicts] == [True, True, False]


@pytest.mark.parametrize(
    ("model", "measured", "at_risk"),
    [
        (LargestRisk(0.4), 1, 3),
        (LargestRisk(1), 1, 0),
        (AverageRisk(0.5), 0.5, 0),
        (AverageRisk(0.4), 0.5, 3),
        (SampleUniques(0.1), 1 / 6, 1),
        (SampleUniques(1 / 6), 1 / 6, 0),
    ],
)
def test_risks_are_those_of_the_classes(model: object, measured: float, at_risk: int) -> None:
    verdict = only_verdict(SIZES, promise(model, quasi="age zip"))
    assert verdict.measured == pytest.approx(measured)
    assert (verdict.rows_at_risk, verdict.holds) == (at_risk, at_risk == 0)


def test_distinct_diversity_is_the_smallest_number_of_values() -> None:
    verdict = only_verdict(WARD, promise(LDiversity("ill", 3), quasi="age", sensitive="ill"))
    assert (verdict.measured, verdict.holds, verdict.rows_at_risk) == (2, False, 4)


def test_entropy_diversity_is_the_exponential_of_the_smallest_entropy() -> None:
    model = LDiversity("ill", 2.5, kind="entropy")
    verdict = only_verdict(WARD, promise(model, quasi="age", sensitive="ill"))
    entropy = -(0.75 * math.log(0.75) + 0.25 * math.log(0.25))
    assert verdict.measured == pytest.approx(math.exp(entropy))
    assert (verdict.holds, verdict.rows_at_risk) == (False, 4)


def test_even_classes_meet_entropy_diversity_exactly() -> None:
    even = released("age ill", [("3*", v) for v in "abcdefg"])
    model = LDiversity("ill", 7, kind="entropy")
    assert only_verdict(even, promise(model, quasi="age", sensitive="ill")).holds


@pytest.mark.parametrize(
    ("ell", "c", "measured", "at_risk"), [(2, 3.5, 3, 0), (2, 3, 3, 4), (3, 9, math.inf, 4)]
)
def test_recursive_diversity_is_head_over_tail(
    ell: int, c: float, measured: float, at_risk: int
) -> None:
    model = LDiversity("ill", ell, kind="recursive", c=c)
    verdict = only_verdict(WARD, promise(model, quasi="age", sensitive="ill"))
    assert (verdict.measured, verdict.limit, verdict.rows_at_risk) == (measured, c, at_risk)


def test_a_missing_sensitive_value_is_a_value() -> None:
    table = released("age ill", [("3*", "flu"), ("3*", None)])
    assert only_verdict(table, promise(LDiversity("ill", 2), quasi="age", sensitive="ill")).holds


def test_equal_distance_is_half_the_absolute_differences() -> None:
    verdict = only_verdict(WARD, promise(TCloseness("ill", 0.2), quasi="age", sensitive="ill"))
    assert verdict.measured == pytest.approx((3 / 4 - 1 / 2) + 0)  # flu gains 2/8, gout loses it
    assert (verdict.holds, verdict.rows_at_risk) == (False, 8)


@pytest.mark.parametrize(("own", "far"), [("3 4 5", 0.375), ("6 8 11", 1 / 6)])
def test_ordered_distance_is_that_of_the_salaries_of_li_et_al(own: str, far: float) -> None:
    whole = released("age pay", [("*", str(pay)) for pay in range(3, 12)])
    table = released("age pay", [("3*", pay) for pay in own.split()])
    model = TCloseness("pay", 0.3, distance="ordered")
    verdict = only_verdict(table, promise(model, quasi="age", sensitive="pay"), whole)
    assert verdict.measured == pytest.approx(far)
    assert verdict.holds == (far < 0.3)


def test_ordered_distance_takes_the_order_given() -> None:
    table = released("age pain", [("3*", "none"), ("3*", "some"), ("4*", "some"), ("4*", "much")])
    model = TCloseness("pain", 1, distance="ordered", order=("none", "some", "much"))
    verdict = only_verdict(table, promise(model, quasi="age", sensitive="pain"))
    assert verdict.measured == pytest.approx((1 / 4 + 1 / 4) / 2)


def test_values_without_an_order_cannot_be_checked() -> None:
    model = TCloseness("ill", 1, distance="ordered")
    verdict = only_verdict(WARD, promise(model, quasi="age", sensitive="ill"))
    assert not verdict.holds
    assert "not all values are numbers" in verdict.note
    assert verdict.facts()["measured"] is None


def test_hierarchical_distance_moves_least_within_a_branch() -> None:
    tree = Tree({"*": {"lung": ["flu", "asthma"], "stomach": ["ulcer", "gastritis"]}})
    table = released(
        "age ill", [("3*", "flu"), ("3*", "ulcer"), ("4*", "asthma"), ("4*", "gastritis")]
    )
    model = TCloseness("ill", 0.2, distance="hierarchical")
    policy = promise(model, quasi="age", sensitive="ill", hierarchies={"ill": tree})
    verdict = only_verdict(table, policy)
    assert verdict.measured == pytest.approx(0.25)  # a quarter moves one level of two, twice
    assert (verdict.holds, verdict.rows_at_risk) == (False, 4)


def test_hierarchical_distance_across_branches_is_the_whole_way() -> None:
    tree = Tree({"*": {"lung": ["flu", "asthma"], "stomach": ["ulcer", "gastritis"]}})
    table = released("age ill", [("3*", "flu"), ("4*", "ulcer")])
    model = TCloseness("ill", 0.5, distance="hierarchical")
    policy = promise(model, quasi="age", sensitive="ill", hierarchies={"ill": tree})
    verdict = only_verdict(table, policy)
    assert (verdict.measured, verdict.holds) == (pytest.approx(0.5), True)


def test_delta_is_the_largest_logarithm_and_infinite_for_an_absent_value() -> None:
    table = released("age ill", [("3*", "a"), ("3*", "b"), ("3*", "b"), ("4*", "a"), ("4*", "b")])
    policy = promise(DeltaDisclosure("ill", 0.2), quasi="age", sensitive="ill")
    verdict = only_verdict(table, policy)
    assert verdict.measured == pytest.approx(math.log((1 / 2) / (2 / 5)))
    assert (verdict.holds, verdict.rows_at_risk) == (False, 2)
    assert only_verdict(WARD, policy).measured == math.inf


def test_basic_beta_is_the_largest_relative_gain() -> None:
    verdict = only_verdict(WARD, promise(BetaLikeness("ill", 1), quasi="age", sensitive="ill"))
    assert verdict.measured == pytest.approx((2 / 4 - 2 / 8) / (2 / 8))
    assert verdict.holds


def test_enhanced_beta_also_protects_frequent_values() -> None:
    table = released("age ill", [("3*", "a")] * 4 + [("4*", "a")] * 2 + [("4*", "b")] * 2)
    basic, enhanced = (
        only_verdict(table, promise(BetaLikeness("ill", 3, kind=k), quasi="age", sensitive="ill"))
        for k in ("basic", "enhanced")
    )
    assert basic.holds and not enhanced.holds
    assert basic.measured == enhanced.measured == pytest.approx((2 / 4 - 2 / 8) / (2 / 8))
    assert "-ln q" in enhanced.note


@pytest.mark.parametrize(
    "model", [TCloseness("ill", 0.9), DeltaDisclosure("ill", 9), BetaLikeness("ill", 9)]
)
def test_the_private_distribution_is_used_when_it_is_given(model: object) -> None:
    policy = promise(model, quasi="age", sensitive="ill")
    kept = released("age ill", [("3*", "a"), ("3*", "b")])
    private = released("age ill", [("30", "a")] * 3 + [("31", "b")])
    alone, against = only_verdict(kept, policy), only_verdict(kept, policy, private)
    assert alone.measured == pytest.approx(0)
    assert against.measured > 0.2
    assert "released file itself" in alone.note and "suppressed" in alone.note
    assert "private table" in against.note


def test_a_value_that_the_private_table_lacks_is_noticed() -> None:
    table = released("age ill", [("3*", "a"), ("3*", "z")])
    private = released("age ill", [("30", "a")])
    for model in (DeltaDisclosure("ill", 9), BetaLikeness("ill", 9)):
        verdict = only_verdict(table, promise(model, quasi="age", sensitive="ill"), private)
        assert (verdict.holds, verdict.measured) == (False, math.inf)


WILD = released("age zip ill", [("3*", "021", "a"), ("3*", None, "b"), (None, "022", "c")])


def test_missing_is_a_value_by_default() -> None:
    assert (
        only_verdict(WILD, promise(KAnonymity(2), quasi="age zip", sensitive="ill")).measured == 1
    )


def test_a_wildcard_matches_any_value() -> None:
    policy = promise(
        KAnonymity(2), LDiversity("ill", 3), quasi="age zip", sensitive="ill", missing="wildcard"
    )
    k, ell = verify(WILD, policy).verdicts
    assert (k.measured, k.holds) == (2, True)
    assert (ell.measured, ell.rows_at_risk) == (2, 2)  # only the middle row matches all three
    assert "missing values match any" in k.note


def test_rows_of_stars_are_a_class_like_any_other() -> None:
    kept = released("age zip", [("3*", "021")] * 2 + [("*", "*")])
    verdict = only_verdict(kept, promise(KAnonymity(2), quasi="age zip"))
    assert (verdict.holds, verdict.rows_at_risk) == (False, 1)


def test_a_column_that_may_not_leave_is_named() -> None:
    table = released("age name note", [("3*", "Ann", "x")] * 2)
    policy = promise(KAnonymity(2), quasi="age", columns={"name": {"role": "identifier"}})
    verification = verify(table, policy)
    verdict = verification.verdicts[-1]
    assert not verification.holds
    assert (verdict.model, verdict.columns) == ("released_columns", ("name", "note"))
    assert "name, note" in verdict.note and "Ann" not in json.dumps(verification.facts())


def test_a_column_that_a_model_needs_is_missed() -> None:
    table = released("age", [("3*",)] * 2)
    policy = promise(KAnonymity(2, columns=("age",)), LDiversity("ill", 2), quasi="age zip",
                     sensitive="ill")  # fmt: skip
    k, ell, columns = verify(table, policy).verdicts
    assert k.holds and not ell.holds and not columns.holds
    assert ell.note == "could not be checked: the file has no column zip, ill"
    assert columns.columns == ("zip", "ill")


def test_no_rows_keep_every_promise_and_say_so() -> None:
    models = KAnonymity(5), LDiversity("ill", 2), TCloseness("ill", 0.1), AverageRisk(0.1)
    verification = verify(WARD.slice(0, 0), promise(*models, quasi="age", sensitive="ill"))
    assert verification.holds and verification.rows == 0
    assert all("no rows are released" in verdict.note for verdict in verification.verdicts)


def test_columns_with_awkward_names_are_told_apart(tmp_path: Path) -> None:
    file = tmp_path / "release.csv"
    file.write_text("age,Age,c1);--,c0\n1,1,1,1\n1,2,1,1\n")
    for column, k in (("age", 2), ("Age", 1), ("c1);--", 2), ("c0", 2)):
        policy = promise(KAnonymity(1, columns=(column,)), quasi="age Age c1);-- c0")
        assert only_verdict(file, policy).measured == k


def test_values_that_only_look_alike_are_told_apart() -> None:
    looks = ["02138", "2138", "02138 ", "2138.0", "é", "e\u0301", None]
    table = released("zip", [(value,) for value in looks])
    assert only_verdict(table, promise(AverageRisk(1), quasi="zip")).measured == 1


def test_facts_are_plain_json(tmp_path: Path) -> None:
    file = tmp_path / "release.csv"
    file.write_text("zip,ill\n02138,a\n02138,a\n,b\n")
    policy = promise(LDiversity("ill", 2, kind="recursive", c=2), quasi="zip", sensitive="ill")
    facts = json.loads(json.dumps(verify(file, policy).facts(), allow_nan=False))
    assert (facts["holds"], facts["rows"], facts["missing"]) == (False, 3, "value")
    assert facts["verdicts"] == [
        {
            "model": "l_diversity",
            "holds": False,
            "measured": None,
            "limit": 2.0,
            "rows_at_risk": 3,
            "columns": ["zip"],
            "note": "recursive, column ill",
        }
    ]


def test_a_file_that_breaks_half_way_is_refused_in_plain_words(tmp_path: Path) -> None:
    file = tmp_path / "release.csv"
    file.write_text("zip,ill\n" + "02138,secret\n" * 50_000 + "02138,secret,more\n")
    with pytest.raises(DiscreetError) as error:
        verify(file, promise(KAnonymity(2), quasi="zip", sensitive="ill"))
    assert "secret" not in str(error.value)


def test_too_many_classes_for_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MEMORY", ("2MB", "3MB"))
    table = released("zip", [(f"person number {n}",) for n in range(300_000)])
    with pytest.raises(DiscreetError, match="too many different rows"):
        verify(table, promise(KAnonymity(2), quasi="zip"))


def test_several_sensitive_columns_and_quasi_identifiers_are_kept_apart() -> None:
    table = released(
        "age zip ill pay",
        [
            ("3*", "1", "a", "x"),
            ("3*", "1", "b", "x"),
            ("4*", "1", "c", "x"),
            ("4*", "2", "c", "y"),
        ],
    )
    pairs = [(column, quasi) for column in ("ill", "pay") for quasi in ("age", "zip")]
    models = [LDiversity(column, 2, columns=(quasi,)) for column, quasi in pairs]
    verdicts = verify(table, promise(*models, quasi="age zip", sensitive="ill pay")).verdicts
    assert [v.rows_at_risk for v in verdicts] == [2, 1, 2, 4]
