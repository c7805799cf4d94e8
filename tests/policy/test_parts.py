"""Parts that a policy names: every mistake in one is told, at its key."""

from __future__ import annotations

from typing import Any

import pytest

from discreet.errors import PolicyError
from discreet.policy.policy import Policy


def list_problems(**change: Any) -> list[str]:
    said = {
        "columns": {"age": {"role": "quasi"}, "disease": {"role": "sensitive"}},
        "require": [{"k_anonymity": {"k": 2}}],
        **change,
    }
    with pytest.raises(PolicyError) as caught:
        Policy(**said)
    return [str(problem) for problem in caught.value.problems]


def test_all_mistakes_in_the_parameters_of_a_part_are_told() -> None:
    found = list_problems(require=[{"l_diversity": {"column": 5, "ell": 2, "columns": "age"}}])
    assert found == [
        "require[0].l_diversity.column: needs a column name, there is 5. Use quotes.",
        "require[0].l_diversity.columns: needs a list, there is the text 'age'. Write [a, b], "
        "or remove it.",
    ]


def test_a_misspelt_parameter_is_not_also_told_as_missing() -> None:
    (told,) = list_problems(require=[{"t_closeness": {"column": "disease", "tt": 0.2}}])
    assert told.startswith("require[0].t_closeness.tt: 'tt' is not a parameter of t_closeness.")


def test_parameters_that_are_lists_of_names_are_known_by_their_type() -> None:
    (told,) = list_problems(algorithm={"mu-argus": {"generalize": "age"}})
    assert told.startswith("algorithm.mu-argus.generalize: needs a list, there is the text 'age'.")


def test_a_column_may_be_generalized_by_several_levels() -> None:
    policy = Policy(
        columns={"age": {"role": "quasi", "hierarchy": {"intervals": [5, 10]}}},
        require=[{"k_anonymity": {"k": 2}}],
        algorithm={"mu-argus": {"generalize": ["age", "age"]}},
    )
    assert policy.algorithm.generalize == ("age", "age")


def test_a_key_that_is_no_column_name_is_refused_before_the_register_is_read() -> None:
    said = {"public": "register.csv", "min": 0, "max": 0.5, "key": 7}
    (told,) = list_problems(require=[{"delta_presence": said}])
    assert told == ("require[0].delta_presence.key: must be the name of a column. There is 7.")


def test_an_object_of_another_kind_is_named() -> None:
    from discreet.measures import Loss

    (told,) = list_problems(require=[Loss()])
    assert told.startswith("require[0]: a Loss is not a model.")


@pytest.mark.parametrize("said", [0, "", [], 5])
def test_profiles_are_a_mapping_of_recipients(said: Any) -> None:
    (told,) = list_problems(profiles=said)
    assert told.startswith("profiles: needs recipients by name, there is ")
