"""A register is compared after the changes that the policy makes, or not at all, by name."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from discreet import Policy, anonymize
from discreet.attacks.evidence import gather_evidence
from discreet.attacks.linking.columns import UnusableColumnsError
from discreet.attacks.linking.link import link
from discreet.attacks.map_protection import KMapProtection, WrongMapProtection
from discreet.pipeline.attack import attack
from discreet.pipeline.withstand import Intruder, attack_release
from discreet.pseudonyms.key import create_key

RARE = ("036", "059", "102", "203", "205", "369", "556", "692", "753", "772", "821", "823", "878")


def people(rows: int, seed: int = 5) -> list[dict[str, str]]:
    """People with a ZIP code, a day of birth, a sex, an age, a pay, and a number of their own."""
    draw = random.Random(seed)
    found = []
    for number in range(rows):
        year = draw.randint(1925, 2005)
        found.append(
            {
                "person": f"P{number:05}",
                "zip": f"{draw.choice(['021', '036', '606', '941'])}{draw.randint(10, 60)}",
                "birth": f"{year}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}",
                "sex": draw.choice("FM"),
                "age": str(2026 - year),
                "pay": str(draw.randint(100, 999) * 97),
                "ill": draw.choice(["flu", "asthma", "measles"]),
            }
        )
    return found


EVERYBODY = people(3000)
PATIENTS = EVERYBODY[::3]


def table(rows: list[dict[str, str]]) -> pa.Table:
    return pa.table({name: [row[name] for row in rows] for name in rows[0]})


def policy(**columns: Any) -> Policy:
    said = {name: {"role": "quasi", **more} for name, more in columns.items()}
    said["ill"] = {"role": "sensitive"}
    return Policy(columns=said, require=[{"k_anonymity": {"k": 1}}], seed=3)


def joined(changes: dict[str, Callable[[str], str]]) -> tuple[int, int]:
    """Rows that fit one entry, and none, after the same change: a plain join."""
    keys = [tuple(change(row[name]) for name, change in changes.items()) for row in EVERYBODY]
    count = Counter(keys)
    fits = [count[key] for key in keys[::3]]
    return sum(n == 1 for n in fits), sum(n == 0 for n in fits)


def zip3(value: str) -> str:
    return "000" if value[:3] in RARE else value[:3]


def year(value: str) -> str:
    return "1936 or before" if int(value[:4]) <= 1936 else value[:4]


def same(value: str) -> str:
    return value


CHANGES: dict[str, tuple[dict[str, Any], dict[str, Callable[[str], str]]]] = {
    "zip3 and year": (
        {
            "zip": {"technique": "zip3"},
            "birth": {"technique": {"year": {"as_of": "2026-11-16"}}},
            "sex": {},
        },
        {"zip": zip3, "birth": year, "sex": same},
    ),
    "rounded": (
        {"zip": {}, "age": {"technique": {"round_values": {"base": 5}}}, "sex": {}},
        {"zip": same, "age": lambda v: str(5 * round(int(v) / 5)), "sex": same},
    ),
    "top and bottom": (
        {
            "zip": {},
            "age": {"technique": [{"top_code": {"at": 80}}, {"bottom_code": {"at": 30}}]},
            "pay": {"technique": {"top_code": {"at": 50000}}},
        },
        {
            "zip": same,
            "age": lambda v: str(max(30, min(80, int(v)))),
            "pay": lambda v: str(min(50000, int(v))),
        },
    ),
    "replaced by a list": (
        {
            "zip": {},
            "birth": {},
            "sex": {"technique": {"substitute": {"replacements": {"F": "M", "M": "X"}}}},
        },
        {"zip": same, "birth": same, "sex": lambda v: {"F": "M", "M": "X"}[v]},
    ),
    "blanked": (
        {"zip": {}, "birth": {"technique": "suppress_values"}, "age": {}},
        {"zip": same, "birth": lambda v: "", "age": same},
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_column_links_as_a_plain_join_after_the_same_change(name: str) -> None:
    columns, changes = CHANGES[name]
    made = policy(**columns)
    release = anonymize(table(PATIENTS), made).to_arrow()
    links = link(release, table(EVERYBODY), policy=made)
    assert (int(links.unique.sum()), int((links.fits == 0).sum())) == joined(changes)
    assert set(links.changed) == {n for n, said in columns.items() if said}
    assert not links.unusable
    found = attack(release, made, register=table(EVERYBODY), original=table(PATIENTS)).facts()
    by_name = {one["attack"]: one for one in found["attacks"]}
    assert by_name["linking"]["found"]["unique_hits"] == joined(changes)[0]
    assert by_name["linking"]["found"]["columns_changed"] == links.changed
    assert by_name["linking"]["found"]["correct_hits"] == joined(changes)[0]
    assert by_name["membership"]["found"]["people_fitting_no_row"] < len(EVERYBODY)


def test_membership_counts_people_after_the_same_change() -> None:
    columns, changes = CHANGES["zip3 and year"]
    made = policy(**columns)
    release = anonymize(table(PATIENTS), made).to_arrow()
    outcome = attack(release, made, register=table(EVERYBODY)).outcomes
    found = next(one for one in outcome if one.attack == "membership").found
    keys = [tuple(change(row[n]) for n, change in changes.items()) for row in EVERYBODY]
    private = Counter(keys[::3])
    count = Counter(keys)
    assert found["people_fitting_no_row"] == sum(key not in private for key in keys)
    assert found["people_surely_in"] == sum(n for key, n in count.items() if private[key] == n)


DRAWN: dict[str, Any] = {
    "noise": {"noise": {"domain": [0, None], "outside": "clip"}},
    "swap": "swap",
    "rank_swap": "rank_swap",
    "pram": {"pram": {"share": 0.2}},
    "shuffle": "shuffle",
    "random rounding": {"round_values": {"base": 5, "how": "random"}},
    "microaggregate": {"microaggregate": {"k": 3}},
    "quantile": {"top_code": {"quantile": 0.9}},
    "mean": {"top_code": {"at": 80, "put": "mean"}},
    "median": {"outliers_to_median": {"fence": 0.1}},
    "some blanked": {"suppress_values": {"share": 0.5}},
    "rare blanked": {"suppress_values": {"rarer_than": 20}},
    "then rounded": [{"noise": {"domain": [0, None], "outside": "clip"}}, {"top_code": {"at": 80}}],
}


@pytest.mark.parametrize("name", DRAWN)
def test_a_column_that_cannot_be_changed_alike_is_refused_by_name(name: str) -> None:
    made = policy(zip={}, sex={}, age={"technique": DRAWN[name]})
    release = anonymize(table(PATIENTS), made).to_arrow()
    found = attack(release, made, register=table(EVERYBODY)).facts()
    linking = next(one for one in found["attacks"] if one["attack"] == "linking")
    assert list(linking["found"]["columns_not_used"]) == ["age"]
    assert "NOT compared: age (" in linking["note"]
    assert linking["found"]["unique_hits"] == joined({"zip": same, "sex": same})[0]
    links = link(release, table(EVERYBODY), policy=made)
    assert list(links.unusable) == ["age"] and "age" not in links.columns
    verdict = KMapProtection(1)(links)
    assert not verdict.holds and "age" in verdict.refused


def test_pseudonyms_and_scrubbed_texts_are_not_compared(tmp_path: Path) -> None:
    create_key(tmp_path / "k.key")
    columns = {
        "zip": {"role": "quasi"},
        "ill": {"role": "text", "scrub": True},
        "person": {"role": "identifier", "replace": {"pseudonym": {"key": "k.key"}}},
    }
    made = Policy(columns=columns, require=[{"k_anonymity": {"k": 1}}], seed=3, folder=tmp_path)
    release = anonymize(table(PATIENTS[:50]), made).to_arrow()
    links = link(release, table(EVERYBODY), ["zip", "ill", "person"], made)
    assert links.unusable == {"ill": "scrubbed text", "person": "pseudonyms"}


def test_where_no_column_can_be_compared_the_attack_was_not_tried() -> None:
    made = policy(age={"technique": DRAWN["noise"]})
    release = anonymize(table(PATIENTS), made).to_arrow()
    found = attack(release, made, register=table(EVERYBODY))
    linking = next(one for one in found.outcomes if one.attack == "linking")
    assert not linking.applies and "age (noise added, by chance)" in linking.note
    with pytest.raises(UnusableColumnsError, match="does not mean that the release is safe"):
        link(release, table(EVERYBODY), policy=made)


def test_values_of_the_register_that_a_list_lacks_fit_nobody() -> None:
    lists = {"substitute": {"replacements": {"flu": "asthma", "asthma": "measles"}}}
    made = Policy(
        columns={"ill": {"role": "quasi", "technique": lists}, "sex": {"role": "quasi"}},
        require=[{"k_anonymity": {"k": 1}}],
    )
    mine = [row for row in PATIENTS if row["ill"] != "measles"]
    release = anonymize(table(mine), made).to_arrow()
    links = link(release, table(EVERYBODY), policy=made)
    count = Counter((row["ill"], row["sex"]) for row in EVERYBODY)
    assert Counter(links.fits.tolist()) == Counter(count[row["ill"], row["sex"]] for row in mine)


def test_a_register_that_the_change_cannot_be_made_to_is_refused_by_name() -> None:
    made = policy(zip={}, birth={"technique": {"year": {"as_of": "2026-11-16"}}})
    release = anonymize(table(PATIENTS), made).to_arrow()
    short = [{**row, "birth": f"3/4/{row['birth'][2:4]}"} for row in EVERYBODY]
    links = link(release, table(short), policy=made)
    assert "two digits" in links.unusable["birth"]


def test_the_same_column_of_the_register_can_be_compared_twice_and_be_the_key() -> None:
    columns, _ = CHANGES["zip3 and year"]
    made = policy(**columns, age={})
    release = anonymize(table(PATIENTS), made).to_arrow()
    everybody = table(EVERYBODY)
    names = {"zip": "zip", "birth": "birth", "sex": "sex"}
    once = link(release, everybody, names, made)
    renamed = everybody.rename_columns(["person", "z", "b", "s", "age", "pay", "ill"])
    again = link(release, renamed, {"zip": "z", "birth": "b", "sex": "s"}, made)
    assert again.fits.tolist() == once.fits.tolist()
    assert again.columns == {"zip": "z", "birth": "b", "sex": "s"}


def test_the_private_table_is_changed_once_where_a_release_is_attacked_before_it_is_written() -> (
    None
):
    columns, changes = CHANGES["zip3 and year"]
    release = anonymize(table(PATIENTS), policy(**columns))
    found = attack_release(release, Intruder(register=table(EVERYBODY)))
    linking = next(one for one in found.outcomes if one.attack == "linking")
    assert linking.found["correct_hits"] == linking.found["unique_hits"] == joined(changes)[0]


def test_protection_models_compare_after_the_same_change() -> None:
    columns, changes = CHANGES["zip3 and year"]
    made = policy(**columns).replace(order="keep")
    release = anonymize(table(PATIENTS), made).to_arrow()
    found = gather_evidence(table(PATIENTS), release, table(EVERYBODY), "person", policy=made)
    assert int(found.links.unique.sum()) == joined(changes)[0]
    keys = [tuple(change(row[n]) for n, change in changes.items()) for row in PATIENTS]
    alone = sum(n == 1 for n in Counter(keys).values())
    assert int(found.named_right.sum()) == alone
    noisy = policy(zip={}, age={"technique": DRAWN["noise"]}).replace(order="keep")
    release = anonymize(table(PATIENTS), noisy).to_arrow()
    judged = gather_evidence(table(PATIENTS), release, table(EVERYBODY), "person", policy=noisy)
    assert "age" in WrongMapProtection()(judged).refused


def test_without_a_policy_attack_says_what_is_assumed() -> None:
    release = table(PATIENTS[:90]).select(["zip", "sex"])
    found = attack(release, quasi=["zip", "sex"], register=table(EVERYBODY)).facts()
    assert any("compared as they are written" in line for line in found["assumes"])
    assert attack(release, quasi=["zip", "sex"]).facts()["assumes"] == []


def test_published_counts_are_changed_as_the_release_was() -> None:
    made = policy(zip={"technique": "zip3"}, sex={})
    release = anonymize(table(PATIENTS), made).to_arrow()
    count = Counter(row["zip"] for row in PATIENTS)
    counts = {"column": ["zip"] * len(count), "value": [*count], "count": [*count.values()]}
    found = attack(release, made, summary=pa.table(counts))
    summary = next(one for one in found.outcomes if one.attack == "summary")
    assert summary.applies and not summary.succeeds
    noisy = policy(age={"technique": DRAWN["noise"]}, sex={})
    release = anonymize(table(PATIENTS), noisy).to_arrow()
    ages = {"column": ["age"], "value": ["30"], "count": [len(PATIENTS)]}
    found = attack(release, noisy, summary=pa.table(ages))
    summary = next(one for one in found.outcomes if one.attack == "summary")
    assert not summary.applies and "age (noise added, by chance)" in summary.note


# An earlier release may have a column as found, changed in the same way, or drawn anew.


def release_of(names: str, seed: int = 3, **columns: Any) -> tuple[pa.Table, Policy]:
    """Sixty patients, each with a number of their own, under a policy that promises one row."""
    chosen = table(PATIENTS[:60]).select(names.split())
    said = {name: {"role": "other"} for name in chosen.column_names} | columns
    said["person"] = {"role": "other", **columns.get("person", {})}
    made = Policy(columns=said, require=[{"k_anonymity": {"k": 1}}], seed=seed)
    return anonymize(chosen, made).to_arrow(), made


def joined_with(earlier: pa.Table, release: pa.Table, made: Policy) -> Any:
    done = attack(release, made, quasi=["zip", "birth"], k=2, earlier=[earlier]).outcomes
    return next(one for one in done if one.attack == "complementary")


def alone_by(*keys: Callable[[dict[str, str]], str]) -> int:
    counts = Counter(tuple(key(row) for key in keys) for row in PATIENTS[:60])
    return sum(n == 1 for n in counts.values())


YEAR = {"role": "quasi", "technique": {"year": {"as_of": "2026-11-16"}}}
ZIP3 = {"role": "quasi", "technique": "zip3"}


def test_an_earlier_release_as_found_is_compared_after_the_same_change_and_tells_more() -> None:
    """The codes in full come from the earlier release, the years from this one."""
    earlier, _ = release_of("person zip sex", zip={"role": "quasi"})
    release, made = release_of("person zip birth", birth=YEAR, zip=ZIP3)
    found = joined_with(earlier, release, made)
    expected = alone_by(lambda row: row["zip"], lambda row: year(row["birth"]))
    coarse = alone_by(lambda row: zip3(row["zip"]), lambda row: year(row["birth"]))
    assert found.rows_exposed == expected > coarse
    assert "compared after the same change: zip (first three digits)" in found.note
    assert found.found["columns_changed"] == {"zip": "first three digits"}
    again, _ = release_of("person zip sex", zip=ZIP3)
    assert "after the same change" not in joined_with(again, release, made).note


def test_what_is_drawn_anew_does_not_keep_two_releases_apart() -> None:
    noisy = {"role": "other", "technique": {"noise": {"amount": 0.05}}}
    earlier, _ = release_of("person zip pay", 1, zip={"role": "quasi"}, pay=noisy)
    release, made = release_of("person zip birth pay", 2, birth=YEAR, zip=ZIP3, pay=noisy)
    found = joined_with(earlier, release, made)
    assert found.rows_exposed == alone_by(lambda row: row["zip"], lambda row: year(row["birth"]))
    assert "NOT compared: pay (noise added, by chance)" in found.note
    assert found.found["rows_without_partner"] == 0


def test_pseudonyms_join_two_releases_only_if_one_key_made_them(tmp_path: Path) -> None:
    def replaced(key: str) -> dict[str, Any]:
        if not (tmp_path / key).exists():
            create_key(tmp_path / key)
        return {"role": "identifier", "replace": {"pseudonym": {"key": str(tmp_path / key)}}}

    def made_with(key: str, names: str, **columns: Any) -> tuple[pa.Table, Policy]:
        chosen = table(PATIENTS[:60]).select(names.split())
        said = {"person": replaced(key), **columns}
        made = Policy(columns=said, require=[{"k_anonymity": {"k": 1}}], seed=3)
        return anonymize(chosen, made).to_arrow(), made

    earlier, _ = made_with("a.key", "person zip", zip={"role": "quasi"})
    release, made = made_with("a.key", "person zip birth", birth=YEAR, zip=ZIP3)
    one = joined_with(earlier, release, made)
    expected = alone_by(lambda row: row["zip"], lambda row: year(row["birth"]))
    assert one.rows_exposed == expected
    release, made = made_with("b.key", "person zip birth", birth=YEAR, zip=ZIP3)
    two = joined_with(earlier, release, made)
    assert "NOT compared: person (pseudonyms)" in two.note
    assert two.found["rows_without_partner"] == 0
