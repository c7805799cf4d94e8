"""The entries of the net, by what they are there to hold.

To add one: write it into the list that it belongs to, run ``python -m tests.net --update NAME``,
read the new file in ``frozen/`` and commit both.
"""

from __future__ import annotations

from typing import Any

from tests.messy_hospital import POLICY as MESSY_POLICY
from tests.net.entry import Entry, entry

Plain = dict[str, Any]

AGE: Plain = {"role": "quasi", "hierarchy": {"intervals": [5, 10, 20, 40]}}
SEX: Plain = {"role": "quasi"}
ZIP: Plain = {"role": "quasi", "hierarchy": {"prefix": [4, 3, 1]}}
BIRTH: Plain = {
    "role": "quasi",
    "hierarchy": {"dates": ["month", "year", "5 years", "10 years", "20 years"]},
}
DISEASE: Plain = {"role": "sensitive"}
PAY: Plain = {"role": "other"}
QUASI: Plain = {"age": AGE, "sex": SEX, "zip": ZIP}
BASE: Plain = {
    "columns": {**QUASI, "disease": DISEASE},
    "require": [{"k_anonymity": {"k": 4}}],
    "suppress": 0.05,
    "seed": 7,
}
RELEASE = "anonymize clinic.csv --policy policy.yaml -o release.csv"
SMALL = "anonymize small.csv --policy policy.yaml -o release.csv"
TINY = "anonymize tiny.csv --policy policy.yaml -o release.csv"
VISITS = "anonymize visits.csv --policy policy.yaml -o release.csv"
VERIFY = "verify release.csv --policy policy.yaml"
AGAINST = "verify release.csv --policy policy.yaml --original clinic.csv"


def with_keys(**keys: Any) -> Plain:
    """The base policy with other top-level keys."""
    return {**BASE, **keys}


def with_columns(**columns: Plain) -> Plain:
    """The base policy with more columns, or other ones."""
    return {**BASE, "columns": {**BASE["columns"], **columns}}


def requiring(*models: Plain, **keys: Any) -> Plain:
    """The base policy with other promises."""
    return with_keys(require=list(models), **keys)


def using(algorithm: Any, **keys: Any) -> Plain:
    """The base policy with an algorithm."""
    return with_keys(algorithm=algorithm, **keys)


K4: Plain = {"k_anonymity": {"k": 4}}

MODELS: list[Entry] = [
    entry("model-k-anonymity", RELEASE, AGAINST, policy=BASE),
    entry(
        "model-k-anonymity-of-two-sets",
        policy=requiring(
            {"k_anonymity": {"k": 8, "columns": ["age", "sex"]}},
            {"k_anonymity": {"k": 3, "columns": ["zip", "sex"]}},
        ),
    ),
    *[
        entry(
            f"model-l-diversity-{kind}",
            RELEASE,
            policy=requiring(K4, {"l_diversity": {"column": "disease", "kind": kind, **more}}),
        )
        for kind, more in {
            "distinct": {"ell": 3},
            "entropy": {"ell": 2.2},
            "recursive": {"ell": 2, "c": 3},
        }.items()
    ],
    entry(
        "model-t-closeness-equal",
        RELEASE,
        policy=requiring({"t_closeness": {"column": "disease", "t": 0.3, "distance": "equal"}}),
    ),
    entry(
        "model-t-closeness-ordered",
        RELEASE,
        AGAINST,
        policy={
            **requiring(
                {
                    "t_closeness": {
                        "column": "school",
                        "t": 0.2,
                        "distance": "ordered",
                        "order": ["none", "primary", "secondary", "college", "doctorate"],
                    }
                }
            ),
            "columns": {**QUASI, "school": DISEASE},
        },
    ),
    entry(
        "model-t-closeness-hierarchical",
        RELEASE,
        policy={
            **requiring(
                {"t_closeness": {"column": "disease", "t": 0.25, "distance": "hierarchical"}}
            ),
            "columns": {
                **QUASI,
                "disease": {
                    "role": "sensitive",
                    "hierarchy": {
                        "tree": {
                            "any": {
                                "airways": ["flu", "asthma"],
                                "other": ["gout", "fever", "rash"],
                            }
                        }
                    },
                },
            },
        },
    ),
    entry(
        "model-delta-disclosure",
        RELEASE,
        AGAINST,
        policy=requiring({"delta_disclosure": {"column": "disease", "delta": 1.2}}),
    ),
    *[
        entry(
            f"model-beta-likeness-{kind}",
            RELEASE,
            AGAINST,
            policy=requiring({"beta_likeness": {"column": "disease", "beta": 1.5, "kind": kind}}),
        )
        for kind in ("basic", "enhanced")
    ],
    entry("model-largest-risk", policy=requiring({"largest_risk": {"max": 0.2}})),
    entry("model-average-risk", RELEASE, VERIFY, policy=requiring({"average_risk": {"max": 0.1}})),
    entry(
        "model-sample-uniques",
        RELEASE,
        VERIFY,
        policy=requiring({"sample_uniques": {"max": 0.01}}, suppress=0),
    ),
    entry(
        "model-k-map",
        RELEASE,
        VERIFY,
        policy=requiring(
            {"k_map": {"k": 6, "register": "register.csv", "names": {"zip": "postcode"}}}
        ),
    ),
    entry(
        "model-delta-presence",
        RELEASE,
        AGAINST,
        policy=requiring(
            {
                "delta_presence": {
                    "public": "register.csv",
                    "min": 0.05,
                    "max": 0.5,
                    "key": "mrn",
                    "names": {"zip": "postcode"},
                }
            },
            columns={**QUASI, "mrn": {"role": "identifier"}},
        ),
    ),
    entry(
        "model-probabilistic",
        RELEASE,
        VERIFY,
        policy=requiring(
            {"probabilistic": {"population": 20_000, "k": 100, "beta": 0.2}},
            algorithm={"probabilistic": {"ranges": ["age"]}},
        ),
    ),
    entry(
        "model-probabilistic-hipaa",
        policy=requiring({"probabilistic": {"preset": "hipaa"}}, algorithm="probabilistic"),
    ),
    entry(
        "model-safe-harbor",
        "anonymize harbor.csv --policy policy.yaml -o release.csv",
        VERIFY,
        "hipaa harbor.csv --policy policy.yaml",
        policy="""\
# The rules of safe harbor, and k-anonymity with them.
columns:
  zip:        {role: quasi, technique: zip3, hierarchy: {prefix: [2, 1]}}
  state:      {role: quasi}
  birth_date: {role: other, technique: {year: {as_of: 2026-11-16}}}
  age:
    role: quasi
    technique: {top_code: {at: 90}}
    hierarchy: {intervals: {widths: [10, 30], top: 90}}
  sex:        {role: quasi}
  diagnosis:  {role: sensitive}
require:
  - safe_harbor: {as_of: 2026-11-16}
  - k_anonymity: {k: 2}
suppress: 0.2
seed: 3
""",
    ),
]

PAIRS = {"most": ["age"], "more": ["zip"], "identifying": ["sex"]}
ALGORITHMS: list[Entry] = [
    entry(
        "algorithm-optimal-prefers", policy=using("optimal", prefer=["zip", "age"], choice="best")
    ),
    *[
        entry(f"algorithm-datafly-{heuristic}", policy=using({"datafly": {"heuristic": heuristic}}))
        for heuristic in ("distinct", "minimal")
    ],
    entry("algorithm-fixed", RELEASE, policy=using({"fixed": {"levels": {"age": 2, "zip": 1}}})),
    entry("algorithm-local", RELEASE, policy=using("local")),
    entry("algorithm-local-consistent", policy=using({"local": {"consistent": True}})),
    entry(
        "algorithm-exact", TINY, VERIFY, policy=using("exact", require=[{"k_anonymity": {"k": 2}}])
    ),
    *[
        entry(
            f"algorithm-k-similar-{variant}",
            TINY,
            policy=using({"k-similar": {"variant": variant}}, require=[{"k_anonymity": {"k": 2}}]),
        )
        for variant in ("published", "exact")
    ],
    *[
        entry(
            f"algorithm-mu-argus-{variant}",
            f"{SMALL} --release-unprotected",
            policy=using(
                {"mu-argus": {"variant": variant, **PAIRS}}, require=[{"k_anonymity": {"k": 2}}]
            ),
        )
        for variant in ("published", "actual")
    ],
    entry(
        "algorithm-mu-argus-actual-is-not-written",
        SMALL,
        policy=using({"mu-argus": {"variant": "actual", **PAIRS}}),
    ),
    *[
        entry(
            f"algorithm-mu-argus-{suppression}",
            SMALL,
            policy=using(
                {
                    "mu-argus": {
                        "variant": "complete",
                        "suppression": suppression,
                        "generalize": ["age", "zip"],
                        "complementary": True,
                    }
                }
            ),
        )
        for suppression in ("greedy", "fewest")
    ],
    entry(
        "algorithm-suppress",
        SMALL,
        VERIFY,
        policy=using({"suppress": {"importance": ["zip", "age", "sex"]}}),
    ),
    entry("algorithm-suppress-exact", SMALL, policy=using({"suppress": {"exact": True}})),
    entry(
        "algorithm-suppress-alone",
        SMALL,
        policy=using({"suppress": {"helped": False, "complementary": True}}),
    ),
    *[
        entry(
            f"algorithm-mondrian-{kind}",
            policy=using({"mondrian": {"kind": kind, "ranges": ["age"]}}),
        )
        for kind in ("strict", "relaxed")
    ],
    *[
        entry(
            f"algorithm-probabilistic-{method}",
            policy=using(
                {
                    "probabilistic": {
                        "population": 5_000,
                        "k": 20,
                        "beta": 0.1,
                        "ranges": ["age"],
                        "method": method,
                        "shown": shown,
                    }
                }
            ),
        )
        for method, shown in (
            ("quantiles", "ranges"),
            ("distances", "centres"),
            ("radius", "ranges"),
            ("cellular", "centres"),
        )
    ],
    entry(
        "algorithm-spalm",
        policy=using(
            "spalm",
            require=[
                {
                    "delta_presence": {
                        "public": "register.csv",
                        "min": 0.1,
                        "max": 0.4,
                        "names": {"zip": "postcode"},
                    }
                }
            ],
        ),
    ),
    *[
        entry(
            f"algorithm-mpalm-{columns_by}",
            policy=using(
                {
                    "mpalm": {
                        "columns_by": columns_by,
                        "values_by": values_by,
                        "ranges": ["age"],
                        **({"priority": ["zip", "age", "sex"]} if columns_by == "priority" else {}),
                    }
                },
                require=[
                    {
                        "delta_presence": {
                            "public": "register.csv",
                            "min": 0.05,
                            "max": 0.5,
                            "names": {"zip": "postcode"},
                        }
                    }
                ],
            ),
        )
        for columns_by, values_by in (("next", "rows"), ("priority", "first"), ("best", "values"))
    ],
]

MEASURES: list[Entry] = [
    *[
        entry(f"measure-{name}", policy=with_keys(measure=name, suppress=0.1))
        for name in (
            "loss",
            "granularity",
            "precision",
            "non_uniform_entropy",
            "discernibility",
            "average_class_size",
        )
    ],
    entry(
        "measure-weighted_precision-column",
        policy={
            **with_columns(zip={**ZIP, "weight": 3}),
            "measure": {"weighted_precision": {"weights": "column"}},
        },
    ),
    entry(
        "measure-weighted_precision-height",
        policy=with_keys(measure={"weighted_precision": {"weights": "height"}}),
    ),
    entry("measure-row-weight", policy={**with_columns(pay=PAY), "row_weight": "pay"}),
]

HIERARCHIES: list[Entry] = [
    entry(
        "hierarchy-odd-values",
        "anonymize messy.csv --policy policy.yaml -o release.csv",
        "verify release.csv --policy policy.yaml --original messy.csv",
        policy=MESSY_POLICY,
    ),
    entry(
        "hierarchy-known-and-cuts",
        policy=with_columns(
            age={"role": "quasi", "hierarchy": {"cuts": [[30, 40, 50, 65], [40, 65]]}},
            job={"role": "quasi", "hierarchy": {"known": "isco-08"}},
        ),
    ),
    entry(
        "hierarchy-settings",
        policy={
            **BASE,
            "columns": {
                "age": {
                    "role": "quasi",
                    "hierarchy": {
                        "intervals": {"widths": [10, 20], "origin": 5, "bottom": 25, "top": 65}
                    },
                },
                "zip": {"role": "quasi", "hierarchy": {"prefix": {"lengths": [3], "mask": "#"}}},
                "birth": {
                    "role": "quasi",
                    "hierarchy": {
                        "dates": {
                            "levels": ["quarter", "year", "decade"],
                            "format": "%Y-%m-%d",
                            "pivot": 40,
                        }
                    },
                },
                "disease": DISEASE,
            },
            "require": [{"k_anonymity": {"k": 2}}],
            "suppress": 0.3,
        },
    ),
    entry(
        "hierarchy-tree",
        policy=with_columns(
            job={
                "role": "quasi",
                "hierarchy": {
                    "tree": {
                        "work": {
                            "care": ["nurse", "cook"],
                            "desk": ["clerk", "judge", "teacher"],
                            "road": ["driver"],
                        }
                    },
                    "top": "*",
                },
            }
        ),
    ),
    entry(
        "hierarchy-file",
        policy=with_columns(school={"role": "quasi", "hierarchy": {"file": "schools.csv"}}),
    ),
    entry(
        "hierarchy-file-uncovered",
        policy=with_columns(
            school={
                "role": "quasi",
                "hierarchy": {"file": {"path": "some_schools.csv", "uncovered": "root"}},
            }
        ),
    ),
    entry(
        "hierarchy-flat", policy=with_columns(city={"role": "quasi", "hierarchy": {"flat": True}})
    ),
    entry(
        "hierarchy-auto",
        policy={
            **BASE,
            "columns": {
                "age": {"role": "quasi", "hierarchy": {"auto": True}},
                "birth": {"role": "quasi", "hierarchy": {"auto": True}},
                "zip": {"role": "quasi", "hierarchy": {"auto": True}},
                "disease": DISEASE,
            },
        },
    ),
    entry(
        "hierarchy-dates",
        policy={
            **BASE,
            "columns": {
                "seen": {"role": "quasi", "hierarchy": {"dates": ["day", "weekday"]}},
                "birth": BIRTH,
                "sex": SEX,
            },
            "suppress": 0.2,
        },
    ),
]

ON_PAY: dict[str, Any] = {
    "noise": [
        {"top_code": {"quantile": 0.9, "put": "mean"}},
        {"bottom_code": {"quantile": 0.1, "put": "mean"}},
        {"noise": {"amount": 0.2, "kind": "independent", "domain": [0, None], "outside": "clip"}},
        {"round_values": {"base": 5000, "how": "random"}},
    ],
    "limits": [
        {"top_code": {"at": 60000, "put": "limit"}},
        {"bottom_code": {"at": 20000, "put": "limit"}},
        {"outliers_to_median": {"fence": 0.2}},
        {"round_values": {"base": 5000, "how": "plain"}},
    ],
    "rank-swap": [{"rank_swap": {"p": 8}}, {"suppress_values": {"share": 0.2}}],
    "perturb": {"perturb": {"similarity": 0.4}},
    "microaggregate": {"microaggregate": {"k": 4, "size": "variable"}},
    "microaggregate-fixed": [
        {"microaggregate": {"k": 4, "size": "fixed"}},
        {"round_values": {"base": 5000, "how": "controlled"}},
    ],
    "noise-is-refused": {"noise": {"amount": 2, "domain": [8000, 90000], "outside": "refuse"}},
}
ON_JOB: dict[str, Any] = {
    "substitute-keep": [
        {"substitute": {"replacements": {"nurse": "carer"}, "others": "keep"}},
        {"pram": {"share": 0.3}},
        "shuffle",
    ],
    "substitute-suppress": [
        {"pram": {"share": 0.3, "invariant": False}},
        {"substitute": {"categories": {"nurse": "care", "cook": "care"}, "others": "suppress"}},
    ],
    "substitute-is-refused": {
        "substitute": {"replacements": {"nurse": "carer"}, "others": "refuse"}
    },
    "suppress-rare": {"suppress_values": {"rarer_than": 20}},
}
TECHNIQUES: list[Entry] = [
    *[
        entry(f"technique-{name}", policy=with_columns(pay={**PAY, "technique": technique}))
        for name, technique in ON_PAY.items()
    ],
    *[
        entry(f"technique-{name}", policy=with_columns(job={**PAY, "technique": technique}))
        for name, technique in ON_JOB.items()
    ],
    entry(
        "technique-several",
        RELEASE,
        AGAINST,
        policy={
            **with_columns(
                pay={**PAY, "technique": ["noise", {"round_values": {"base": 100}}]},
                job=PAY,
                school=PAY,
            ),
            "techniques": [
                {"sample_rows": {"share": 0.8, "within": ["sex"]}},
                {
                    "swap": {
                        "columns": ["job", "school"],
                        "within": ["sex"],
                        "share": 0.5,
                        "unit": False,
                    }
                },
                "scramble",
            ],
        },
    ),
    entry(
        "technique-correlated-noise",
        policy={
            **with_columns(pay=PAY, age={"role": "other"}),
            "techniques": [
                {
                    "noise": {
                        "columns": ["pay", "age"],
                        "kind": "correlated",
                        "domain": {"pay": [None, None], "age": [None, None]},
                    }
                }
            ],
        },
    ),
    entry(
        "technique-swap-of-quasi-columns",
        policy=with_keys(techniques=[{"swap": {"columns": ["age", "sex", "zip"], "unit": True}}]),
    ),
    entry(
        "technique-shuffle-given",
        policy={
            **with_columns(pay=PAY),
            "techniques": [{"shuffle": {"columns": ["pay"], "given": ["age"]}}],
        },
    ),
    entry(
        "technique-microaggregate-columns",
        policy={
            **with_columns(pay=PAY, job=PAY),
            "techniques": [
                {"microaggregate": {"columns": ["pay", "job"], "k": 3, "categories": ["job"]}}
            ],
        },
    ),
    entry(
        "technique-add-tuples-is-refused",
        policy=with_keys(techniques=[{"add_tuples": {"share": 0.1}}]),
    ),
    entry(
        "technique-year-and-zip3",
        policy=with_columns(
            zip={
                **ZIP,
                "hierarchy": {"prefix": [2, 1]},
                "technique": {"zip3": {"zip_table": "zip_table.csv"}},
            },
            birth={"role": "other", "technique": {"year": {"as_of": "2026-11-16"}}},
        ),
    ),
    entry(
        "technique-shift-dates",
        VISITS,
        policy={
            "columns": {
                "patient": {"role": "identifier"},
                "sex": SEX,
                "zip": ZIP,
                "seen": {
                    "role": "other",
                    "technique": {"shift_dates": {"entity": "patient", "days": 60, "weeks": True}},
                },
            },
            "require": [{"k_anonymity": {"k": 3}}],
            "seed": 5,
        },
    ),
    entry(
        "technique-relative-dates",
        VISITS,
        policy={
            "people": {"column": "patient", "key": "net.key"},
            "columns": {
                "sex": SEX,
                "zip": ZIP,
                "seen": {
                    "role": "quasi",
                    "hierarchy": {"intervals": [30, 90]},
                    "technique": {"relative_dates": {"entity": "patient"}},
                },
            },
            "require": [{"k_anonymity": {"k": 2}}],
            "suppress": 0.3,
            "seed": 5,
        },
    ),
    entry(
        "technique-catalogue", "techniques", "techniques clinic.csv -c pay -c job -c seen --seed 3"
    ),
]

RECIPIENTS = {
    "public use": {"preset": "public use"},
    "registry": {
        "likelihoods": {"age": 1, "sex": 1, "zip": 0.3},
        "audience": "cancer registry",
        "includes": ["alice", "bob"],
    },
    "researcher": {"preset": "researcher", "quasi_identifiers": [["age", "zip"]]},
    "doctor": {"preset": "caretaker", "likelihoods": {"zip": 1}},
}
RELEASING = "anonymize clinic.csv --policy policy.yaml"
PROFILES: list[Entry] = [
    *[
        entry(
            f"profile-{name.replace(' ', '-')}",
            f"{RELEASING} --profile '{name}' -o release.csv",
            *([f"{VERIFY} --profile registry"] if name == "registry" else []),
            policy=with_keys(profiles=RECIPIENTS),
        )
        for name in ("public use", "registry", "researcher")
    ],
    entry("profile-in-the-policy", policy=with_keys(profiles=RECIPIENTS, profile="doctor")),
    entry("profile-is-not-said", policy=with_keys(profiles=RECIPIENTS)),
]

ABOUT: list[Entry] = [
    entry(
        "about-changes-nothing",
        RELEASE,
        VERIFY,
        policy=with_keys(
            about={
                "title": "Visits",
                "description": "One row per visit.",
                "purpose": "research",
                "holder": "City hospital",
                "contact": "data@hospital.example",
                "recipient": "everybody",
                "environment": "public",
                "controls": ["none"],
                "population": "a sample of patients",
                "period": "2023",
                "licence": "CC-BY-4.0",
                "url": "https://hospital.example/visits",
                "reviewed_by": ["ethics board"],
                "valid_until": "2020-12-31",
                "threshold": {"preset": "cell size 3"},
            }
        ),
    ),
]

PEOPLE_COLUMNS: Plain = {"sex": SEX, "zip": ZIP, "problem": DISEASE}
PEOPLE: list[Entry] = [
    *[
        entry(
            f"people-records-{name}",
            VISITS,
            *([VERIFY] if name == "keep" else []),
            policy={
                "people": {"column": "patient", "key": "net.key", "records": records},
                "columns": PEOPLE_COLUMNS,
                "require": [{"k_anonymity": {"k": 3}}],
                "suppress": 0.2,
                "seed": 2,
            },
        )
        for name, records in {
            "keep": "keep",
            "ignore": "ignore",
            "cap": {"cap": 2},
            "group": {"group": [1, 2, 5]},
        }.items()
    ],
    entry(
        "people-datafly",
        VISITS,
        "key net.key --check",
        policy={
            "people": {"column": "patient", "key": "net.key"},
            "algorithm": "datafly",
            "columns": PEOPLE_COLUMNS,
            "require": [{"k_anonymity": {"k": 3}}],
            "suppress": 0.2,
            "seed": 2,
        },
    ),
    entry(
        "people-values",
        VISITS,
        VERIFY,
        "compare visits.csv --policy policy.yaml",
        "risk release.csv --policy policy.yaml",
        "attack release.csv --policy policy.yaml --original visits.csv",
        "anonymize visits.csv --policy policy.yaml --where \"sex = 'f'\" -o part.csv "
        "--ledger house.ledger --to 'the lab'",
        "anonymize visits.csv --policy policy.yaml -o other.csv --ledger house.ledger --to public",
        policy={
            "people": {"column": "patient", "key": "net.key", "records": {"cap": 2}},
            "columns": PEOPLE_COLUMNS,
            "require": [
                {"k_anonymity": {"k": 2}},
                {"l_diversity": {"column": "problem", "ell": 2}},
                {"t_closeness": {"column": "problem", "t": 0.9}},
            ],
            "suppress": 0.4,
            "seed": 2,
        },
    ),
    entry(
        "people-are-noticed",
        VISITS,
        VERIFY,
        policy={
            "columns": {"patient": {"role": "identifier"}, **PEOPLE_COLUMNS},
            "require": [{"k_anonymity": {"k": 3}}],
            "seed": 2,
        },
    ),
    entry(
        "people-together",
        "together persons.csv stays.csv --policy policy.yaml -o released --seed 4",
        "verify released --policy policy.yaml",
        policy="""\
people: {column: patient, key: net.key, names: {stays: patient_id}}
columns:
  persons.sex:   {role: quasi}
  persons.born:  {role: quasi, hierarchy: {intervals: [5, 10, 50]}}
  stays.ward:    {role: quasi}
  stays.problem: {role: sensitive}
require:
  - k_anonymity: {k: 2}
suppress: 0.25
""",
    ),
]

LEDGER = "--ledger house.ledger --to public"
AGAIN: list[Entry] = [
    entry(
        "ledger-a-table-that-grows",
        f"anonymize clinic_before.csv --policy policy.yaml -o first.csv {LEDGER}",
        f"anonymize clinic.csv --policy policy.yaml -o second.csv {LEDGER}",
        "ledger list house.ledger",
        "ledger show house.ledger 2",
        "ledger check house.ledger --file first.csv",
        "ledger audience house.ledger public",
        "attack second.csv --policy policy.yaml --earlier first.csv",
        policy=with_keys(suppress=0.2),
    ),
    entry(
        "ledger-rows-removed",
        f"anonymize clinic.csv --policy policy.yaml -o first.csv {LEDGER}",
        f"anonymize clinic_before.csv --policy policy.yaml -o second.csv {LEDGER}",
        f"anonymize clinic_before.csv --policy policy.yaml -o second.csv {LEDGER} --rows-removed",
        policy=with_keys(suppress=0.2),
    ),
    entry(
        "ledger-parts",
        "anonymize clinic.csv --policy policy.yaml --where \"age >= 40 AND zip LIKE '02%'\" "
        f"-o first.csv {LEDGER} --table clinic",
        "anonymize clinic.csv --policy policy.yaml --columns age,sex,disease "
        f"-o second.csv {LEDGER} --table clinic",
        "anonymize clinic.csv --policy policy.yaml "
        "--where \"sex IN ('f') OR NOT age BETWEEN 30 AND 50\" "
        "--columns zip,disease -o third.csv --ledger house.ledger --to 'the lab' --table clinic",
        "ledger audience house.ledger institute --includes 'the lab'",
        "ledger list house.ledger",
        policy=with_keys(suppress=0.3),
    ),
    entry(
        "ledger-profile",
        f"{RELEASING} --profile registry -o first.csv --ledger house.ledger",
        f"{RELEASING} --profile 'public use' -o second.csv {LEDGER}",
        "ledger show house.ledger",
        policy=with_keys(profiles=RECIPIENTS),
    ),
    entry(
        "part-without-a-file",
        "anonymize clinic.csv --policy policy.yaml --where 'age < 50' --columns age,sex",
        policy=BASE,
    ),
]


def replacing(**pseudonyms: Plain) -> Plain:
    """The base policy with pseudonyms for identifiers."""
    return with_columns(
        **{
            column: {"role": "identifier", "replace": {"pseudonym": {"key": "net.key", **one}}}
            for column, one in pseudonyms.items()
        }
    )


IDENTIFIERS: list[Entry] = [
    entry(
        "pseudonym-formats",
        policy=replacing(
            mrn={"format": "shape"},
            ssn={"format": "ssn"},
            phone={"format": "phone", "domain": "net"},
            name={"format": "token"},
        ),
    ),
    entry(
        "pseudonym-unassigned",
        policy=replacing(
            phone={"format": "phone-unassigned"}, name={"format": "ssn", "unfit": "missing"}
        ),
    ),
    entry(
        "pseudonym-encrypted",
        RELEASE,
        "restore release.csv --column mrn --key net.key --domain recall -o private.csv",
        AGAINST,
        policy={
            **with_columns(
                mrn={
                    "role": "identifier",
                    "replace": {"encrypt": {"key": "net.key", "domain": "recall"}},
                }
            ),
            "order": "keep",
        },
    ),
    entry(
        "text-scrubbed",
        policy=with_columns(
            name={"role": "identifier"},
            note={"role": "text", "scrub": {"style": "tag", "dates": "month", "threshold": 0.5}},
        ),
    ),
    entry(
        "text-scrubbed-with-a-key",
        policy=with_columns(
            name={"role": "identifier"},
            mrn={"role": "identifier"},
            note={
                "role": "text",
                "scrub": {
                    "style": "pseudonym",
                    "scope": "person",
                    "dates": "shift",
                    "key": "net.key",
                    "person": "mrn",
                },
            },
        ),
    ),
    entry("text-is-withheld", policy=with_columns(note={"role": "text"})),
]

CHOICES: list[Entry] = [
    entry(
        "choice-blind",
        RELEASE,
        "attack release.csv --policy policy.yaml --original clinic.csv",
        policy=with_keys(
            choice="blind",
            require=[K4, {"l_diversity": {"column": "disease", "ell": 2}}],
            suppress=0.1,
        ),
    ),
    entry(
        "choice-blind-datafly",
        policy=with_keys(
            choice="blind",
            algorithm="datafly",
            require=[K4, {"t_closeness": {"column": "disease", "t": 0.5}}],
            suppress=0.1,
        ),
    ),
    *[
        entry(
            f"missing-{missing}",
            "anonymize gaps.csv --policy policy.yaml -o release.csv",
            VERIFY,
            policy=with_keys(missing=missing, suppress=0.15),
        )
        for missing in ("value", "wildcard")
    ],
    entry(
        "suppressed-rows-are-kept",
        policy=with_keys(suppressed_rows="keep", order="keep", suppress=0.2),
    ),
    entry(
        "suppressed-rows-are-dropped",
        policy=with_keys(suppressed_rows="drop", order="scramble", suppress=0.2),
    ),
    entry(
        "formulas-quoted",
        "anonymize formulas.csv --policy policy.yaml -o release.csv",
        policy={
            "columns": {"ward": {"role": "quasi"}, "remark": {"role": "other"}, "disease": DISEASE},
            "require": [{"k_anonymity": {"k": 3}}],
            "formulas": "quote",
            "seed": 1,
        },
    ),
    entry(
        "formulas-kept",
        "anonymize formulas.csv --policy policy.yaml -o release.csv",
        policy={
            "columns": {"ward": {"role": "quasi"}, "remark": {"role": "other"}},
            "require": [{"k_anonymity": {"k": 3}}],
            "formulas": "keep",
            "seed": 1,
        },
    ),
    entry(
        "anonymity-level",
        RELEASE,
        f"{VERIFY} --rows 240",
        policy={"columns": BASE["columns"], "anonymity": 0.4, "suppress": 0.1, "seed": 1},
    ),
    entry(
        "anonymity-level-of-the-house",
        policy={
            "columns": BASE["columns"],
            "seed": 1,
            "anonymity": {"level": 0.5, "k": {0.3: 3, 0.5: 6, 1.0: 30}, "rows": 240},
        },
    ),
    entry("time-limit-that-is-not-reached", policy=with_keys(time_limit=600)),
    entry(
        "options-instead-of-a-policy",
        "anonymize clinic.csv -q age -q sex -s disease -k 3 --suppress 0.05 --algorithm datafly "
        "--measure precision --keep-order --keep-suppressed --seed 3 -o release.csv",
        "verify release.csv -q age -q sex -s disease -k 3",
    ),
    entry("promises-that-cannot-be-kept", policy=requiring({"k_anonymity": {"k": 241}})),
    entry(
        "attacked-before-it-is-written",
        "anonymize clinic.csv --policy policy.yaml --attack --register register.csv "
        "--map zip=postcode -o release.csv",
        policy=BASE,
    ),
]

WITH_TYPES = {**with_columns(pay=PAY, birth={"role": "other"}), "suppress": 0.1}
FORMATS: list[Entry] = [
    entry(
        f"format-{source}-to-{target}",
        f"anonymize clinic.{source} --policy policy.yaml -o release.{target}",
        policy=WITH_TYPES,
    )
    for source, target in (
        ("csv", "parquet"),
        ("parquet", "csv"),
        ("tsv", "xlsx"),
        ("xlsx", "tsv"),
        ("txt", "txt"),
        ("csv.gz", "csv.zst"),
        ("csv.zst", "csv.gz"),
        ("feather", "arrow"),
        ("arrow", "feather"),
        ("sqlite", "db"),
        ("db", "sqlite"),
        ("jsonl", "duckdb"),
        ("duckdb", "jsonl"),
        ("dta", "sav"),
        ("sav", "dta"),
    )
]

IN_PLACE = "duckdb:///clinic.duckdb --policy policy.yaml"
DATABASES: list[Entry] = [
    entry(
        "database-in-place",
        f"anonymize {IN_PLACE} -o released --dry-run",
        f"anonymize {IN_PLACE} -o released",
        f"verify {IN_PLACE} --table released",
        policy=WITH_TYPES,
    ),
    entry(
        "database-values",
        "anonymize duckdb:///clinic.duckdb#rows --policy policy.yaml -o released",
        "verify duckdb:///clinic.duckdb#released --policy policy.yaml --original "
        "duckdb:///clinic.duckdb#rows",
        policy={
            **with_columns(pay={"role": "other", "technique": {"round_values": {"base": 7000}}}),
            "suppress": 0.1,
        },
    ),
]

LOOKS: list[Entry] = [
    entry("policy-schema", "policy schema"),
    entry("certify-schema", "certify --schema"),
    entry("report-schema", "report --schema"),
    entry("advise", "advise clinic.csv --policy policy.yaml", policy=BASE),
    entry("inspect", "inspect clinic.csv --write-policy policy.yaml", "inspect harbor.csv"),
    entry(
        "identify",
        "identify codes.csv",
        "identify codes.csv --all --distinct 0.5",
        "identify codes.csv --separation 0.99 --minimum --weight house=3",
        "identify codes.csv --all --max-size 3 --drop-duplicates -q house -q flat -q sex",
        "identify codes.csv --separation 0.9 --epsilon 0.1 --seed 1",
        "identify codes.csv --all --distinct 0.5 --keep-duplicates",
    ),
    entry(
        "mask",
        "mask codes.csv --distinct 0.3",
        "mask codes.csv --separation 0.9 --exact",
        "mask codes.csv --distinct 0.3 --below --publish sex --withhold house",
        "mask codes.csv --separation 0.95 --sample 500 --seed 2",
    ),
    entry(
        "risk",
        "risk clinic.csv -q age -q sex -q zip -k 3",
        "risk clinic.csv --policy policy.yaml --population 1200 --rows risks.csv --max-size 2",
        "risk clinic.csv -q age -q sex --register register.csv --seed 1 --threshold 0.3",
        "risk clinic.csv -q age -q sex --population 1200 --group 20 "
        "--simulate --level 0.4 --seed 1",
        "risk clinic.csv -q age -q sex --population 1200 --alpha 0.05 "
        "--set age,sex --domain age=90",
        "risk clinic.csv -q age -q sex --weight pay",
        policy=BASE,
    ),
    entry(
        "risk-of-frequencies",
        "risk frequencies.csv -q age --frequency people",
        "risk frequencies.csv --frequency people --width 5",
    ),
    entry(
        "levels",
        "levels clinic.csv -q age -q birth --with sex",
        "levels clinic.csv --policy policy.yaml --together --at 0.2,0.5 --most-dropped 0.2",
        "levels clinic.csv -q zip --hierarchy 'zip={prefix: [4, 3]}'",
        policy=BASE,
    ),
    entry(
        "compare",
        "compare tiny.csv --policy policy.yaml --seed 1 -a local -a k-similar -a probabilistic "
        "-a '{datafly: {heuristic: minimal}}'",
        policy=requiring({"k_anonymity": {"k": 2}}, suppress=0.2),
    ),
    entry(
        "hipaa",
        "hipaa harbor.csv --as-of 2026-11-16",
        "hipaa harbor.csv --as-of 2026-11-16 --zip-table zip_table.csv --code mrn "
        "--write-policy ready.yaml",
        "anonymize harbor.csv --policy ready.yaml --seed 1 -o release.csv",
    ),
    entry(
        "delta",
        "delta --rows 240 --population 1200 --prior 0.25 --cost 100 "
        "--cost-absent 200 --damage 10000",
    ),
    entry(
        "attack",
        f"{SMALL}",
        "attack release.csv --policy policy.yaml --original small.csv --summary summary.csv",
        policy=requiring(
            {"k_anonymity": {"k": 3}},
            {"l_diversity": {"column": "disease", "ell": 2}},
            suppress=0.2,
        ),
    ),
    entry(
        "attack-with-a-register",
        RELEASE,
        "attack release.csv --policy policy.yaml --register register.csv --map zip=postcode "
        "--original clinic.csv",
        "attack clinic.csv -q age -q sex -q zip -s disease -k 2 "
        "--register register.csv --map zip=postcode",
        policy=using("local"),
    ),
    entry("verify-what-does-not-hold", "verify clinic.csv --policy policy.yaml", policy=BASE),
    entry("demo", "demo --folder town --seed 3"),
]

SCRUB: list[Entry] = [
    *[
        entry(
            f"scrub-{style}", f"scrub letter.txt -o out.txt --style {style} --key net.key --jobs 1"
        )
        for style in ("pseudonym", "tag", "blank", "remove")
    ],
    entry(
        "scrub-formats",
        *[
            f"scrub {name} -o out.{name} --key net.key --scope corpus --dates {dates} --jobs 1"
            for name, dates in (
                ("letter.html", "shift"),
                ("mail.eml", "year"),
                ("notes.json", "nearest"),
                ("notes.jsonl", "month-only"),
                ("notes.xml", "keep"),
            )
        ],
    ),
    entry(
        "scrub-a-table",
        "scrub clinic.csv -o out.csv --column note --person mrn --known name "
        "--scope person --key net.key --jobs 1 --facts facts.csv",
    ),
    entry(
        "scrub-counts",
        "scrub letter.txt --kinds NAME --kinds PHONE --threshold 0.5 --people people.txt --jobs 1",
    ),
    entry("scrub-german", "scrub brief.de.txt --language de -o out.txt --style tag --jobs 1"),
    entry("scrub-evaluate", "scrub --evaluate gold.jsonl --jobs 1"),
]

ADULT: list[Entry] = [
    entry(
        "adult-optimal",
        "anonymize adult_arx.csv --policy policy.yaml -o release.csv",
        VERIFY,
        shared=("data/adult/adult_arx.csv", "data/adult/hierarchies"),
        policy={
            "columns": {
                **{
                    name: {"role": "quasi", "hierarchy": {"file": f"hierarchies/{name}.csv"}}
                    for name in ("sex", "age", "race", "marital-status", "education")
                },
                "salary-class": DISEASE,
            },
            "require": [
                {"k_anonymity": {"k": 10}},
                {"l_diversity": {"column": "salary-class", "ell": 2}},
            ],
            "suppress": 0.02,
            "seed": 1,
        },
    ),
    entry(
        "adult-mondrian",
        "anonymize adult_arx.csv --policy policy.yaml -o release.csv",
        shared=("data/adult/adult_arx.csv",),
        policy={
            "columns": {
                "age": AGE,
                "sex": SEX,
                "race": SEX,
                "education": SEX,
                "salary-class": DISEASE,
            },
            "require": [{"k_anonymity": {"k": 20}}],
            "algorithm": {"mondrian": {"ranges": ["age"]}},
            "seed": 1,
        },
    ),
    entry(
        "adult-looks",
        "identify adult_arx.csv --distinct 0.1 -q sex -q age -q race -q education",
        "risk adult_arx.csv -q sex -q age -q race",
        shared=("data/adult/adult_arx.csv",),
    ),
]

ALL: tuple[Entry, ...] = (
    *MODELS,
    *ALGORITHMS,
    *MEASURES,
    *HIERARCHIES,
    *TECHNIQUES,
    *PROFILES,
    *ABOUT,
    *PEOPLE,
    *AGAIN,
    *IDENTIFIERS,
    *CHOICES,
    *FORMATS,
    *DATABASES,
    *LOOKS,
    *SCRUB,
    *ADULT,
)
