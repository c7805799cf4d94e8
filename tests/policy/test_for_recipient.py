"""The plain policy for a recipient, and the release that comes of it."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet.errors import PolicyError
from discreet.models import KAnonymity, LDiversity
from discreet.policy.policy import Policy
from discreet.table.table import Role
from tests.shared_data import shared

K3 = [{"k_anonymity": {"k": 3}}]


def _policy(**more: Any) -> Policy:
    columns: dict[str, Any] = {
        "birth": {"role": "quasi", "hierarchy": {"prefix": [3]}},
        "sex": {"role": "quasi"},
        "zip": {"role": "quasi", "hierarchy": {"prefix": [4, 3]}, "weight": 2},
        "disease": {"role": "sensitive"},
        "ward": {"role": "other"},
        **more.pop("columns", {}),
    }
    return Policy(columns=columns, require=more.pop("require", K3), **more)


def _for(profile: dict[str, Any], **more: Any) -> Policy:
    return _policy(profiles={"who": profile}, **more).for_recipient("who")


def _weights(policy: Policy) -> dict[str, float]:
    return {name: policy.columns[name].weight for name in policy.quasi}


def test_a_recipient_who_links_on_everything_gets_the_policy_itself() -> None:
    assert _for({"preset": "public use"}) == _policy()
    assert _for({}) == _policy()


def test_columns_at_1_are_one_quasi_identifier_and_others_one_each() -> None:
    found = _for({"likelihoods": {"zip": 0.4}})
    assert found.require == (KAnonymity(3, ("birth", "sex")), KAnonymity(3, ("zip",)))
    assert found.quasi == ("birth", "sex", "zip")
    assert (found.profiles, found.profile) == ({}, None)


def test_a_column_at_0_is_released_as_it_is() -> None:
    found = _for({"likelihoods": {"zip": 0}})
    assert found.columns["zip"].role is Role.other
    assert found.require == (KAnonymity(3),)
    assert found.quasi == ("birth", "sex")


def test_every_promise_holds_for_every_quasi_identifier() -> None:
    require = [*K3, {"l_diversity": {"column": "disease", "ell": 2}}]
    found = _for({"likelihoods": {"zip": 0.4}}, require=require)
    own = [(model.name, model.columns) for model in found.require]
    sets = (("birth", "sex"), ("zip",))
    assert own == [(name, one) for name in ("k_anonymity", "l_diversity") for one in sets]


def test_a_promise_with_its_own_columns_keeps_those_that_are_linked_on() -> None:
    own = [{"k_anonymity": {"k": 3}}, {"k_anonymity": {"k": 9, "columns": ["sex", "zip"]}}]
    found = _for({"likelihoods": {"zip": 0}}, require=own)
    assert found.require == (KAnonymity(3), KAnonymity(9, ("sex",)))
    assert any("promises on zip is not promised" in line for line in found.recipient.assumes)
    gone = _for({"likelihoods": {"zip": 0, "sex": 0}}, require=own)
    assert gone.require == (KAnonymity(3),)


def test_a_set_within_another_is_not_counted_again() -> None:
    found = _for({"preset": "researcher", "quasi_identifiers": [["sex", "zip"], ["zip"]]})
    assert found.recipient.quasi_identifiers == (("sex", "zip"), ("birth",))
    assert found.require == (KAnonymity(3, ("sex", "zip")), KAnonymity(3, ("birth",)))


def test_the_less_likely_a_column_is_linked_on_the_more_its_detail_counts() -> None:
    assert _weights(_for({"likelihoods": {"sex": 0.5, "zip": 0.4}})) == {
        "birth": 1,
        "sex": 2,
        "zip": 5,
    }
    assert _weights(_for({"likelihoods": {"zip": 1e-300}}))["zip"] == 2000


def test_a_sensitive_or_other_column_that_may_be_linked_on_becomes_quasi() -> None:
    found = _for({"likelihoods": {"disease": 0.5, "ward": 1, "zip": 0}})
    assert found.quasi == ("birth", "sex", "disease", "ward")
    assert found.require == (
        KAnonymity(3, ("birth", "sex", "ward")),
        KAnonymity(3, ("disease",)),
    )
    assert any("disease and ward are quasi" in line for line in found.recipient.assumes)
    assert _for({"likelihoods": {"disease": 0, "ward": 0}}) == _policy()


def test_what_is_preferred_and_not_linked_on_is_left_out() -> None:
    assert _for({"likelihoods": {"zip": 0}}, prefer=["zip", "sex"]).prefer == ("sex",)


def test_a_caretaker_gets_the_table_as_it_is_and_is_promised_nothing() -> None:
    policy = _for({"preset": "caretaker"}, suppress=0.5, algorithm="mondrian")
    assert policy.require == (KAnonymity(1),)
    release = discreet.anonymize(_people(), policy)
    assert set(release.levels.values()) == {0}
    assert release.rows == 12
    assert any("NOTHING IS PROTECTED" in line for line in policy.recipient.assumes)


def test_a_caretaker_may_be_kept_from_one_column() -> None:
    found = _for({"preset": "caretaker", "likelihoods": {"zip": 1}})
    assert (found.quasi, found.require) == (("zip",), (KAnonymity(3),))


def test_an_anonymity_level_is_the_k_of_every_quasi_identifier() -> None:
    policy = _for({"preset": "researcher"}, require=[], anonymity=0.5)
    release = discreet.anonymize(_people(), policy)
    k = release.facts()["anonymity"]["k"]
    limits = [(v.limit, v.columns) for v in release.verdicts]
    assert limits == [(k, ("birth",)), (k, ("sex",)), (k, ("zip",))]
    assert _for({"preset": "caretaker"}, require=[], anonymity=0.5).anonymity is None


def test_a_k_beside_an_anonymity_level_does_not_join_columns_that_are_linked_on_alone() -> None:
    policy = _for({"preset": "researcher"}, anonymity=0.5)
    assert {model.columns for model in policy.require} == {("birth",), ("sex",), ("zip",)}
    with pytest.raises(PolicyError, match=r"anonymity 0\.5 asks for a k of at least"):
        discreet.anonymize(pa.concat_tables([_people()] * 100), policy)


def test_a_profile_of_which_no_promise_is_left_is_refused_by_name() -> None:
    own = [{"k_anonymity": {"k": 3, "columns": ["zip"]}}]
    with pytest.raises(PolicyError, match=r"profiles\.who: nothing in 'require' applies"):
        _for({"likelihoods": {"zip": 0}}, require=own)


def test_a_sensitive_column_at_0_that_a_promise_guards_is_not_called_unprotected() -> None:
    diverse = [{"l_diversity": {"column": "disease", "ell": 2}}]
    told = _for({"likelihoods": {"disease": 0, "ward": 0}}, require=diverse).recipient.assumes
    assert told[-1] == "The recipient does not link on ward: released as found, unprotected."


def test_whom_a_policy_was_made_for_stays_known_and_is_not_compared() -> None:
    found = _for({"likelihoods": {"zip": 0.4}, "audience": "Registry"})
    changed = found.replace(suppress=0.1)
    assert changed.recipient.name == "who"
    assert Policy(**{n: getattr(found, n) for n in Policy.model_fields}) == found
    assert _policy().recipient.facts() is None


def test_the_one_named_wins_over_the_policys_own() -> None:
    profiles = {"a": {"preset": "public use"}, "b": {"preset": "caretaker"}}
    policy = _policy(profiles=profiles, profile="a")
    assert policy.for_recipient().recipient.name == "a"
    assert policy.for_recipient("b").recipient.name == "b"


@pytest.mark.parametrize("call", [discreet.anonymize, discreet.compare, discreet.verify])
def test_nothing_is_done_before_the_recipient_is_said(call: Any) -> None:
    policy = _policy(profiles={"a": {"preset": "public use"}})
    with pytest.raises(PolicyError, match="no recipient is named; choose one of a"):
        call(_people(), policy)
    with pytest.raises(PolicyError, match="no recipient is named"):
        discreet.attack(_people(), policy)


# --- the same table under two profiles ------------------------------------------------------------


def _people() -> pa.Table:
    births = ["1964", "1965", "1966", "1974"] * 3
    zips = ["02138", "02139", "02141"] * 4
    diseases = ["flu", "gout", "acne"] * 4
    sexes = ["male"] * 6 + ["female"] * 6
    return pa.table(
        {"birth": births, "sex": sexes, "zip": zips, "disease": diseases, "ward": ["1"] * 12}
    )


def test_two_recipients_get_two_releases_of_a_small_table() -> None:
    profiles = {"public use": {"preset": "public use"}, "researcher": {"preset": "researcher"}}
    policy = _policy(profiles=profiles)
    public = discreet.anonymize(_people(), policy.for_recipient("public use"))
    researcher = discreet.anonymize(_people(), policy.for_recipient("researcher"))
    assert researcher.levels == {"birth": 0, "sex": 0, "zip": 0}
    assert public.levels != researcher.levels
    rows = public.to_arrow().select(["birth", "sex", "zip"]).to_pylist()
    assert min(rows.count(row) for row in rows) >= 3
    assert public.facts()["profile"]["preset"] == "public use"
    assert discreet.verify(public.to_arrow(), policy.for_recipient("public use")).holds
    assert not discreet.verify(researcher.to_arrow(), policy.for_recipient("public use")).holds


def test_two_recipients_get_two_releases_of_adult() -> None:
    names = ("age", "sex", "education", "race")
    columns = {
        name: {
            "role": "quasi",
            "hierarchy": {"file": str(shared("data", "adult", "hierarchies", f"{name}.csv"))},
        }
        for name in names
    }
    profiles = {
        "public use": {"preset": "public use"},
        "registry": {"likelihoods": {"age": 1, "sex": 1, "education": 0.2, "race": 0.2}},
    }
    policy = Policy(columns=columns, require=[{"k_anonymity": {"k": 40}}], profiles=profiles)
    table = discreet.read(shared("data", "adult", "adult_arx.csv"))
    found = {name: discreet.anonymize(table, policy.for_recipient(name)) for name in profiles}
    levels = {name: release.levels for name, release in found.items()}
    assert levels["public use"] != levels["registry"]
    assert levels["registry"]["education"] == levels["registry"]["race"] == 0
    registry = found["registry"].to_arrow()
    joint = registry.group_by(["age", "sex"]).aggregate([([], "count_all")])["count_all"]
    assert min(joint.to_pylist()) >= 40


LIKELIHOODS = st.sampled_from([0.0, 0.2, 0.5, 1.0])
CELLS = st.tuples(*(st.sampled_from(values) for values in ("abc", "xy", "123")))


@given(
    rows=st.lists(CELLS, min_size=4, max_size=20),
    likelihoods=st.tuples(LIKELIHOODS, LIKELIHOODS, LIKELIHOODS),
    algorithm=st.sampled_from(["optimal", "datafly", "local", "mondrian"]),
)
@settings(max_examples=12, deadline=None)
def test_whatever_a_recipient_may_join_has_k_rows(
    rows: list[tuple[str, ...]], likelihoods: tuple[float, ...], algorithm: str
) -> None:
    """Counted by hand from the rows of the release, by what the likelihoods mean."""
    names = ("a", "b", "c")
    table = pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    policy = Policy(
        columns={name: {"role": "quasi"} for name in names},
        require=[{"k_anonymity": {"k": 2}}],
        algorithm=algorithm,
        suppress=0.5,
        profiles={"who": {"likelihoods": dict(zip(names, likelihoods, strict=True))}},
        profile="who",
    )
    released = discreet.anonymize(table, policy).to_arrow().to_pylist()
    by_name = dict(zip(names, likelihoods, strict=True))
    joined = [[n for n in names if by_name[n] == 1], *([n] for n in names if 0 < by_name[n] < 1)]
    for columns in filter(None, joined):
        seen = [tuple(row[name] for name in columns) for row in released]
        assert all(seen.count(one) >= 2 for one in seen)
    if not any(likelihoods):
        assert sorted(tuple(row[n] for n in names) for row in released) == sorted(rows)


def test_diversity_is_not_lost_on_a_recipient_who_links_on_single_columns() -> None:
    require = [{"l_diversity": {"column": "disease", "ell": 2}}]
    found = _for({"preset": "researcher"}, require=require)
    assert found.require[0] == LDiversity("disease", 2, columns=("birth",))


def test_a_promise_that_is_not_about_classes_is_kept_once() -> None:
    found = _for({"preset": "researcher"}, require=[*K3, {"safe_harbor": {"as_of": "2026-01-01"}}])
    assert [model.name for model in found.require] == ["k_anonymity"] * 3 + ["safe_harbor"]
