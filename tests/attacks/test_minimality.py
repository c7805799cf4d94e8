"""What the choice of a release tells, against worlds that are enumerated with the whole program."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from discreet import Policy, anonymize
from discreet.attacks.minimality import Minimality, bound_belief
from discreet.attacks.outcome import Outcome
from discreet.attacks.same_choice import Rivals, SameChoice, search_each_world
from discreet.attacks.worlds import People, bound_ways
from discreet.errors import DiscreetError, LedgerError, PolicyError, ReleaseError
from discreet.frequency.classes import Reference
from discreet.ledger.ledger import Ledger
from discreet.models import ALL, BetaLikeness, DeltaDisclosure, LDiversity, TCloseness
from discreet.pipeline.attack import attack
from discreet.pipeline.promise import state_limits, state_promises
from tests.attacks.made import table

COLUMNS = {
    "zip": {"role": "quasi", "hierarchy": {"prefix": [1]}},
    "sex": {"role": "quasi"},
    "ill": {"role": "sensitive"},
}
HIV = table("sex ill", "m hiv, m hiv, f flu, f gout, f cold")

PROMISES: dict[str, dict[str, Any]] = {
    "distinct": {"l_diversity": {"column": "ill", "ell": 2}},
    "entropy": {"l_diversity": {"column": "ill", "ell": 1.7, "kind": "entropy"}},
    "recursive": {"l_diversity": {"column": "ill", "ell": 2, "kind": "recursive", "c": 2}},
    "closeness": {"t_closeness": {"column": "ill", "t": 0.35}},
    "likeness": {"beta_likeness": {"column": "ill", "beta": 1}},
    "disclosure": {"delta_disclosure": {"column": "ill", "delta": 1.2}},
}


def policy(promise: dict[str, Any], columns: Any = None, **settings: Any) -> Policy:
    return Policy(columns=columns or COLUMNS, require=[promise], **settings)


def drawn(seed: int, rows: int = 6, ills: str = "abc") -> pa.Table:
    """A small random table whose sensitive values go with the quasi values a little."""
    rnd = random.Random(seed)
    zips = [rnd.choice(["11", "12", "21"]) for _ in range(rows)]
    sexes = [rnd.choice("fm") for _ in range(rows)]
    values = [z[0] if rnd.random() < 0.3 else rnd.choice(ills) for z in zips]
    return pa.table({"zip": zips, "sex": sexes, "ill": values})


def deals(values: Counter[str], size: int) -> Iterator[list[str]]:
    """Every different order of some values."""
    if not size:
        yield []
    for value in sorted(values):
        if values[value]:
            values[value] -= 1
            for rest in deals(values, size - 1):
                yield [value, *rest]
            values[value] += 1


def seen(people: pa.Table, how: Policy) -> Counter[tuple[str, ...]] | None:
    """The release as anybody sees it: its rows, in no order."""
    try:
        made: Any = anonymize(people, how)
    except DiscreetError:
        return None
    return Counter(rows_of(made))


def rows_of(made: Any) -> list[tuple[str, ...]]:
    """The released rows, without the second count of what is written, which takes long."""
    with made._build_recoder().open_reader() as rows:
        released = rows.read_all()
    return [tuple(row.values()) for row in released.select(list(made.policy.columns)).to_pylist()]


def beliefs(people: pa.Table, how: Policy) -> list[dict[str, Fraction]]:
    """For each person the share of all worlds with the same release in which they have a value.

    Knows nothing of classes or nodes: all ways to deal the values of the whole table are tried,
    each by running the whole program.
    """
    wanted, counts, fitting = seen(people, how), [Counter() for _ in range(people.num_rows)], 0
    assert wanted is not None
    for values in deals(Counter(people.column("ill").to_pylist()), people.num_rows):
        world = people.set_column(people.column_names.index("ill"), "ill", pa.array(values))
        if seen(world, how) == wanted:
            fitting += 1
            for one, value in zip(counts, values, strict=True):
                one[value] += 1
    return [{v: Fraction(n, fitting) for v, n in one.items()} for one in counts]


def shares(people: pa.Table, how: Policy) -> list[dict[str, Fraction]]:
    """For each person the share of each value in their class; empty for those left out."""
    made: Any = anonymize(people, how)
    classes: dict[Any, Counter[str]] = defaultdict(Counter)
    for *texts, value in rows_of(made):
        classes[tuple(texts)][value] += 1
    found = []
    for row in people.to_pylist():
        label = []
        for hierarchy in made.problem.lattice.hierarchies:
            level = made.levels[hierarchy.column]
            ground = hierarchy.labels[0].index(row[hierarchy.column])
            label.append(hierarchy.labels[level][hierarchy.maps[level][ground]])
        inside = classes[tuple(label)]
        found.append({v: Fraction(n, inside.total()) for v, n in inside.items()})
    return found


def worst(found: list[dict[str, Fraction]]) -> float:
    return float(max(max(one.values()) for one in found if one))


def test_two_men_are_certain_though_sex_is_released_as_a_star() -> None:
    how = policy(PROMISES["distinct"], {n: COLUMNS[n] for n in ("sex", "ill")})
    made = anonymize(HIV, how)
    assert made.levels == {"sex": 1}
    found = Minimality()(made)
    assert found.breaks
    assert (found.rows_exposed, found.earlier_rows) == (2, (1, 2))
    facts = found.found["columns"]["ill"]
    assert (facts["worst_belief"], facts["by_class"], facts["promised"]) == (1, 0.4, 0.5)
    assert facts["rows_certain"] == 2
    assert found.found["method"] == "exact"


def generalized(promise: str, number: int, rows: int = 5, **settings: Any) -> list[Any]:
    """The first random tables that have to be generalized, with the policy and the release."""
    found: list[Any] = []
    for seed in range(200):
        how = policy(PROMISES[promise], suppress=(0.0, 0.2)[seed % 2], seed=1, **settings)
        if how.choice == "blind":
            how = how.replace(require=[{"k_anonymity": {"k": 2}}, *how.require])
        people = drawn(seed, rows)
        try:
            made: Any = anonymize(people, how)
        except DiscreetError:
            continue
        if made.rows and made.levels != {"zip": 0, "sex": 0}:
            found.append((people, how, made))
        if len(found) == number:
            break
    return found


CASES = [("optimal", promise) for promise in PROMISES]
CASES += [("datafly", "distinct"), ("spalm", "closeness")]


@pytest.mark.parametrize(("algorithm", "promise"), CASES)
def test_beliefs_are_those_of_all_worlds_run_through_the_whole_program(
    algorithm: str, promise: str
) -> None:
    cases = generalized(promise, 2, algorithm=algorithm)
    assert len(cases) == 2
    for people, how, made in cases:
        found = Minimality()(made)
        assert found.applies, found.note
        assert found.found["method"] == "exact"
        classes = shares(people, how)
        expected = [one for one, own in zip(beliefs(people, how), classes, strict=True) if own]
        facts = found.found["columns"]["ill"]
        assert facts["worst_belief"] == pytest.approx(worst(expected))
        sure = [one for one in expected if worst([one]) == 1]
        known = [one for one in classes if len(one) == 1]
        assert facts["rows_certain"] == len(sure) - len(known)


def test_drawn_worlds_agree_with_all_of_them_within_the_interval() -> None:
    compared = 0
    for _, _, made in generalized("distinct", 6, rows=8):
        exact = Minimality()(made).found["columns"]["ill"]
        drawn = Minimality(worlds=0)(made)
        if drawn.found["method"] != "sampled":
            continue
        compared += 1
        facts = drawn.found["columns"]["ill"]
        assert facts["low"] - 1e-9 <= exact["worst_belief"] <= facts["high"] + 1e-9
        assert facts["low"] < facts["high"]
        assert facts["rows_exposed"] <= exact["rows_exposed"]
    assert compared > 2


def test_drawn_worlds_expose_who_all_worlds_expose_if_it_is_clear() -> None:
    """Twelve men of whom all but one are ill alike, and women who are not: no other world fits."""
    rows = [("m", "hiv")] * 2 + [("f", "flu"), ("f", "gout"), ("f", "cold"), ("f", "rash")]
    made: Any = anonymize(table("sex ill", rows), _by_sex())
    exact, drawn = Minimality()(made), Minimality(worlds=0)(made)
    assert drawn.found["method"] == "sampled"
    assert exact.earlier_rows == drawn.earlier_rows == (1, 2)


def test_where_hardly_a_drawn_world_fits_the_release_is_walked_around() -> None:
    rows = [("m", "hiv")] * 20 + [("f", ill) for ill in ("flu", "gout", "cold") for _ in range(10)]
    found = Minimality(worlds=100, samples=200)(anonymize(table("sex ill", rows), _by_sex()))
    assert found.found["method"] == "walk"
    assert found.earlier_rows == tuple(range(1, 21))
    assert found.found["columns"]["ill"]["rows_certain"] == 20
    assert "may overstate" in found.note


def test_a_table_too_large_to_be_known_is_not_said_to_withstand() -> None:
    rows = [("m", "hiv")] * 300 + [("f", ill) for ill in ("flu", "gout") for _ in range(150)]
    found = Minimality(samples=100)(anonymize(table("sex ill", rows), _by_sex()))
    assert (found.applies, found.decided) == (True, False)
    assert "choice: blind" in found.fix


def test_the_choice_under_size_promises_alone_does_not_depend_on_sensitive_values() -> None:
    """With suppressed rows too: every world gives the same levels and leaves out the same rows."""
    how = Policy(columns=COLUMNS, require=[{"k_anonymity": {"k": 2}}], suppress=0.2, seed=1)
    people = table("zip sex ill", "11 f a, 11 f b, 12 m a, 12 m c, 21 f b, 12 m b")
    made: Any = anonymize(people, how)
    assert made.solution.suppressed == 1
    for values in list(deals(Counter(people.column("ill").to_pylist()), 6))[::7]:
        other: Any = anonymize(people.set_column(2, "ill", pa.array(values)), how)
        assert other.levels == made.levels
        assert other.solution.suppressed == made.solution.suppressed
    found = Minimality()(made)
    assert not found.applies
    assert "no promise is about a sensitive column" in found.note


def test_missing_values_that_match_any_value_are_not_attacked() -> None:
    found = Minimality()(
        anonymize(drawn(3, rows=6), policy(PROMISES["distinct"], missing="wildcard"))
    )
    assert not found.decided


def test_two_sensitive_columns_are_dealt_as_they_stand_together() -> None:
    people = table("sex ill job", "m hiv x, m hiv y, f flu x, f gout y, f cold x")
    columns = {n: COLUMNS[n] for n in ("sex", "ill")} | {"job": {"role": "sensitive"}}
    more = {"l_diversity": {"column": "job", "ell": 2}}
    how = Policy(columns=columns, require=[PROMISES["distinct"], more])
    found = Minimality()(anonymize(people, how))
    assert set(found.found["columns"]) == {"ill", "job"}
    assert found.earlier_rows == (1, 2)


def _by_sex(**settings: Any) -> Policy:
    return policy(PROMISES["distinct"], {n: COLUMNS[n] for n in ("sex", "ill")}, **settings)


BLIND = {"choice": "blind"}


@pytest.mark.parametrize(
    ("algorithm", "promise"),
    [
        ("optimal", "distinct"),
        ("optimal", "closeness"),
        ("optimal", "likeness"),
        ("datafly", "distinct"),
    ],
)
def test_a_blind_choice_tells_exactly_what_the_classes_show(algorithm: str, promise: str) -> None:
    """By all worlds of the whole table, run through the whole program, refusals included."""
    cases = generalized(promise, 2, algorithm=algorithm, **BLIND)
    assert len(cases) == 2
    for people, how, made in cases:
        for belief, share in zip(beliefs(people, how), shares(people, how), strict=True):
            assert not share or belief == share
        found = Minimality()(made)
        assert (found.applies, found.rows_exposed, found.breaks) == (True, 0, False)


def test_a_blind_choice_is_refused_where_a_promise_fails_at_the_chosen_levels() -> None:
    with pytest.raises(ReleaseError, match="do not keep l_diversity") as error:
        anonymize(HIV, _by_sex(**BLIND))
    assert "hiv" not in str(error.value)


def _refusal(people: pa.Table, how: Policy) -> ReleaseError | None:
    try:
        anonymize(people, how)
    except ReleaseError as error:
        assert "(choice: blind)" in str(error)
        return error
    return None


@pytest.mark.parametrize("promise", PROMISES)
def test_what_a_refused_blind_choice_advises_is_the_same_for_every_world(promise: str) -> None:
    """The words of a refusal must not tell who has which value."""
    how = policy(PROMISES[promise], {n: COLUMNS[n] for n in ("sex", "ill")}, **BLIND)
    worlds = [
        HIV.set_column(1, "ill", pa.array(v)) for v in deals(Counter(HIV["ill"].to_pylist()), 5)
    ]
    said = {str(error) for world in worlds if (error := _refusal(world, how)) is not None}
    assert len(said) == 1


def test_a_refused_blind_choice_advises_a_size_of_classes_that_keeps_the_promise() -> None:
    rows = [("m" if n % 2 else "f", str(n // 4), "abcd"[n * n % 7 % 4]) for n in range(400)]
    people = table("sex zip ill", rows)
    columns = {"zip": {"role": "quasi", "hierarchy": {"intervals": [5, 10, 20, 40]}}} | {
        n: COLUMNS[n] for n in ("sex", "ill")
    }
    how = policy({"t_closeness": {"column": "ill", "t": 0.25}}, columns, **BLIND)
    error = _refusal(people, how)
    advised = re.search(r"k well above ([\d,]+)", str(error))
    assert advised is not None
    size = int(advised[1].replace(",", ""))
    larger = how.replace(require=[{"k_anonymity": {"k": 2 * size}}, *how.require])
    assert anonymize(people, larger).holds


def test_a_refused_blind_choice_says_if_no_size_of_classes_would_do() -> None:
    people = table("sex ill", "m flu, m flu, f flu, f flu, f flu, f gout")
    error = _refusal(
        people, policy(PROMISES["distinct"], {n: COLUMNS[n] for n in ("sex", "ill")}, **BLIND)
    )
    assert "Ask for less" in str(error)
    assert "k well above" not in str(error)


def test_raising_k_until_a_blind_choice_passes_tells_as_much_as_no_blind_choice() -> None:
    """Whoever knows that k = 2 was refused before k = 3 was released is certain of the men."""
    tries = [
        _by_sex(**BLIND, seed=1).replace(require=[{"k_anonymity": {"k": k}}, PROMISES["distinct"]])
        for k in (2, 3)
    ]
    assert seen(HIV, tries[0]) is None
    wanted, men = seen(HIV, tries[1]), Counter[tuple[str, str]]()
    for values in deals(Counter(HIV.column("ill").to_pylist()), 5):
        world = HIV.set_column(1, "ill", pa.array(values))
        if seen(world, tries[0]) is None and seen(world, tries[1]) == wanted:
            men[values[0], values[1]] += 1
    assert set(men) == {("hiv", "hiv")}


def test_sizes_that_a_promise_needs_anyway_are_part_of_a_blind_choice() -> None:
    people = table("sex ill", "m flu, f gout, f cold")
    assert anonymize(people, _by_sex(**BLIND)).levels == {"sex": 1}


@pytest.mark.parametrize(
    ("settings", "key"),
    [
        ({"algorithm": "local"}, "choice"),
        ({"algorithm": "mondrian"}, "choice"),
        ({"suppressed_rows": "keep"}, "suppressed_rows"),
        ({"row_weight": "w"}, "row_weight"),
        ({"techniques": [{"sample_rows": {"share": 0.5}}]}, "techniques"),
    ],
)
def test_what_could_let_sensitive_values_decide_is_refused_with_a_blind_choice(
    settings: dict[str, Any], key: str
) -> None:
    with pytest.raises(PolicyError, match=key):
        _by_sex(**BLIND, **settings)


def test_a_blind_choice_is_not_offered_with_a_ledger(tmp_path: Any) -> None:
    from discreet import anonymize_again

    with (
        Ledger.open(tmp_path / "ledger") as ledger,
        pytest.raises(LedgerError, match="sensitive values"),
    ):
        anonymize_again(HIV, _by_sex(**BLIND), ledger, to="public")


def test_a_blind_choice_is_written_to_the_policy_and_to_the_facts() -> None:
    how = _by_sex(**BLIND)
    assert "choice: blind" in how.to_yaml()
    people = table("sex ill", "m flu, m gout, f cold, f flu")
    assert anonymize(people, how).facts()["choice"] == "blind"


def test_sentences_do_not_promise_more_than_holds() -> None:
    assert "knows this program" in state_limits(_by_sex())
    assert "knowing this program" not in state_promises(_by_sex())
    assert "knows this program" not in state_limits(_by_sex(**BLIND))
    assert "knowing this program reveals nothing more" in state_promises(_by_sex(**BLIND))


def test_beliefs_are_held_against_what_each_model_promises() -> None:
    half = Reference("ill", np.array([1, 1, 2]), {None: np.arange(3)})
    table_share = [0.25, 0.25, 0.5]
    cases: list[tuple[Any, list[float]]] = [
        (LDiversity("ill", 3), [1 / 3] * 3),
        (LDiversity("ill", 2.5, "entropy"), [0.4] * 3),
        (LDiversity("ill", 2, "recursive", c=3), [0.75] * 3),
        (TCloseness("ill", 0.1), [q + 0.1 for q in table_share]),
        (TCloseness("ill", 0.1, "ordered"), [q + 0.2 for q in table_share]),
        (BetaLikeness("ill", 0.5), [q * 1.5 for q in table_share]),
        (BetaLikeness("ill", 9, "enhanced"), [q * (1 - np.log(q)) for q in table_share]),
        (DeltaDisclosure("ill", 0.5), [q * np.exp(0.5) for q in table_share]),
    ]
    about_values = {model for model in ALL if "column" in model.__dataclass_fields__}
    assert about_values == {type(model) for model, _ in cases}
    for model, expected in cases:
        assert bound_belief(model, half) == pytest.approx(np.minimum(1, expected))


def _of(release: Any, how: Policy, **files: Any) -> Outcome:
    return next(o for o in attack(release, how, **files).outcomes if o.attack == "minimality")


def test_the_private_table_lets_the_choice_of_a_released_file_be_made_again() -> None:
    how = _by_sex(seed=1)
    release = anonymize(HIV, how).to_arrow()
    assert _of(release, how, original=HIV).rows_exposed == 2
    assert not attack(release, how, original=HIV).holds
    assert "no private table" in _of(release, how).note
    other = table("sex ill", "* hiv, * hiv, * flu, * flu, * cold")
    assert "does not make this release" in _of(other, how, original=HIV).note


def test_what_local_recoding_chooses_tells_as_well() -> None:
    found = Minimality()(anonymize(HIV, _by_sex(algorithm="local")))
    assert found.breaks
    assert found.earlier_rows == (1, 2)


@pytest.mark.parametrize("measure", ["loss", "discernibility"])
@pytest.mark.parametrize("suppress", [0.0, 0.3])
def test_many_worlds_at_once_get_the_answer_of_one_search_each(
    measure: str, suppress: float
) -> None:
    rnd, answers = np.random.default_rng(5), set()
    for seed, promise in enumerate(list(PROMISES) * 2):
        how = policy(PROMISES[promise], measure=measure, suppress=suppress, prefer=["sex"])
        people = drawn(seed, rows=9)
        try:
            made: Any = anonymize(people, how)
        except DiscreetError:
            continue
        same = SameChoice(made.problem, made.solution, how.algorithm, stars=False)
        everybody = People.of(people, made.problem, same.shown)
        worlds = [everybody.make_world(everybody.shuffle_values(rnd)) for _ in range(8)]
        quick = Rivals(everybody, made.problem, made.solution).fits(worlds)
        assert quick.tolist() == search_each_world(everybody, same, worlds).tolist()
        answers |= set(quick.tolist())
    assert answers == {True, False}


def test_a_choice_that_earlier_releases_had_a_say_in_is_not_repeated(tmp_path: Any) -> None:
    from discreet import anonymize_again

    how = _by_sex(seed=1)
    with Ledger.open(tmp_path / "ledger") as ledger:
        first = anonymize_again(HIV, how, ledger, to="public")
        assert Minimality()(first).rows_exposed == 2
        first.write(tmp_path / "first.csv")
        found = Minimality()(anonymize_again(HIV, how, ledger, to="public"))
    assert not found.decided
    assert "earlier releases" in found.note


def test_worlds_of_a_class_of_many_tuples_are_not_listed_to_count_them() -> None:
    people = pa.table(
        {"zip": [f"{n:05}" for n in range(1_500)], "ill": ["a"] * 1_499 + ["b"]},
    )
    columns = {"zip": {"role": "quasi"}, "ill": {"role": "sensitive"}}
    made: Any = anonymize(people, policy(PROMISES["distinct"], columns))
    found = Minimality()(made)
    assert found.found["method"] == "sampled"
    assert "as estimated (between " in found.note


@pytest.mark.parametrize("seed", range(12))
def test_there_are_at_least_as_many_ways_to_deal_as_the_bound_says(seed: int) -> None:
    rnd = random.Random(seed)
    rows = [rnd.randint(1, 2) for _ in range(rnd.randint(1, 4))]
    values = [rnd.randrange(3) for _ in range(sum(rows))]
    counts = np.unique(values, return_counts=True)[1]
    ways = {
        tuple(tuple(sorted(dealt[sum(rows[:n]) : sum(rows[: n + 1])])) for n in range(len(rows)))
        for dealt in deals(Counter(map(str, values)), len(values))
    }
    assert 1 <= bound_ways(len(rows), counts) <= len(ways)
