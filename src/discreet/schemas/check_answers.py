"""What is said of files: by verify, attack, risk and scrub."""

from __future__ import annotations

from discreet.schemas.shapes import (
    ANONYMITY,
    ANY,
    COUNT,
    FLAG,
    MISSING,
    NAMES,
    NUMBER,
    PROFILE,
    SEVERAL_ROWS,
    SHARE,
    TEXT,
    UNIQUE_ROWS,
    VERDICT,
    Shape,
    by_name,
    items,
    maybe,
    one_of,
    record,
)

_VERIFIED: dict[str, Shape] = {
    "holds": FLAG,
    "rows": maybe(COUNT),
    "people": maybe(COUNT),
    "missing": MISSING,
    "anonymity": maybe(ANONYMITY),
    "profile": maybe(PROFILE),
    "verdicts": items(VERDICT),
    "unique_rows": maybe(UNIQUE_ROWS),
    "several_rows_per_person": maybe(SEVERAL_ROWS),
}
REFUSALS = (
    *("wrong_key", "changed", "another_file", "another_private_table", "expired"),
    "promise_broken",
)
_CERTIFICATE = record(
    {
        "file": TEXT,
        "refused": maybe(one_of(*REFUSALS)),
        "why": TEXT,
        "signed_by": NAMES,
        "not_checked": NAMES,
        "issued": maybe(TEXT),
        "valid_until": maybe(TEXT),
        "subjects": maybe(by_name(TEXT)),
        "private_table": maybe(one_of("same", "different", "not compared")),
        "stated": maybe({"type": "object"}),
    }
)
VERIFY = record(
    {"format": {"const": "discreet-verify/1"}, "holds": FLAG, "verdicts": items(VERDICT)},
    {
        **{key: one for key, one in _VERIFIED.items() if key not in ("holds", "verdicts")},
        "tables": by_name(COUNT),
        "outdated": TEXT,
        "certificate": _CERTIFICATE,
    },
)
BROKEN = record({"holds": {"const": False}, "why": TEXT}, {**VERIFY["properties"]})
"""What report and certify say of a release that breaks its policy, or that an attack breaks."""

# Attacks.

_ROW_NUMBERS = items(COUNT)
_SAID = record(
    {},
    {
        "other": maybe(TEXT),
        "k": COUNT,
        "by": maybe(TEXT),
        "chance": maybe(NUMBER),
        "same_people": FLAG,
        "people_in_both": COUNT,
        "rows_without_partner": COUNT,
        "earlier_rows_without_partner": COUNT,
        "rows_left_out": maybe(COUNT),
        "left_out_exposed": maybe(COUNT),
        "columns": by_name(ANY),
        "counted_but_not_which": NAMES,
        "columns_changed": by_name(TEXT),
        "columns_not_used": by_name(TEXT),
        "columns_not_judged": ANY,
        "register_rows": COUNT,
        "people_fitting_one_entry": COUNT,
        "rows_fitting_none": COUNT,
        "rows_fitting_fewer_than_k": COUNT,
        "unique_hits": COUNT,
        "expected_hits": maybe(NUMBER),
        "blind_hits": maybe(NUMBER),
        "correct_hits": maybe(COUNT),
        "notes": NAMES,
        "people_surely_in": COUNT,
        "people_fitting_no_row": COUNT,
        "largest_chance": maybe(NUMBER),
        "smallest_chance": maybe(NUMBER),
        "overlapping": FLAG,
        "rows_more_than_people": COUNT,
        "least": maybe(NUMBER),
        "most": maybe(NUMBER),
        "method": TEXT,
        "worlds": COUNT,
        "worlds_fitting": COUNT,
    },
)
OUTCOME = record(
    {
        "attack": TEXT,
        "applies": FLAG,
        "decided": FLAG,
        "succeeds": FLAG,
        "breaks": FLAG,
        "rows_exposed": COUNT,
        "cells": COUNT,
        "people_exposed": COUNT,
        "rows": _ROW_NUMBERS,
        "earlier_rows": _ROW_NUMBERS,
        "note": TEXT,
        "found": _SAID,
    }
)
_UNDECIDED = items(record({"attack": TEXT, "why": TEXT, "fix": TEXT}))
ATTACKS: dict[str, Shape] = {
    "withstands": maybe(FLAG),
    "undecided": _UNDECIDED,
    "attacks": items(OUTCOME),
}
ATTACK = record(
    {
        "format": {"const": "discreet-attack/1"},
        "holds": maybe(FLAG),
        "undecided": _UNDECIDED,
        "rows": COUNT,
        "k": COUNT,
        "quasi": NAMES,
        "sensitive": NAMES,
        "assumes": NAMES,
        "attacks": items(OUTCOME),
    }
)

# Risk.

_CHANCES = record(
    {
        "highest": SHARE,
        "average": SHARE,
        "rows_at_risk": COUNT,
        "method": TEXT,
        "floor": maybe(NUMBER),
        "ceiling": maybe(NUMBER),
    }
)
_POINT: dict[str, Shape] = {
    "group": COUNT,
    "exact": maybe(NUMBER),
    "different_rows": maybe(NUMBER),
    "approximation": maybe(NUMBER),
    "formula_3": maybe(NUMBER),
    "uniform": maybe(NUMBER),
}
_SIMULATED = record(
    {
        "group": COUNT,
        "value": NUMBER,
        "interval": items(NUMBER),
        "groups": COUNT,
        "all_different": COUNT,
        "reached": FLAG,
    }
)
_AT = record(
    {
        **_POINT,
        "values": COUNT,
        "kappa": maybe(NUMBER),
        "discrepancy": maybe(NUMBER),
        "exponential": maybe(NUMBER),
        "formula_3_exponential": maybe(NUMBER),
        "error": maybe(NUMBER),
        "error_formula_3": maybe(NUMBER),
        "says": TEXT,
        "simulated": maybe(_SIMULATED),
    }
)
_UNIQUENESS = record(
    {
        "values": COUNT,
        "kappa": maybe(NUMBER),
        "discrepancy": maybe(NUMBER),
        "level": NUMBER,
        "group_size": maybe(COUNT),
        "group_size_approximation": maybe(NUMBER),
        "worst_error": maybe(NUMBER),
        "worst_error_formula_3": maybe(NUMBER),
        "worst_error_uniform": maybe(NUMBER),
        "says": TEXT,
        "curve": items(record(_POINT)),
        "at": maybe(_AT),
    }
)
_ESTIMATE = record(
    {
        "method": TEXT,
        "applies": FLAG,
        "uniques": maybe(NUMBER),
        "share": maybe(NUMBER),
        "reason": TEXT,
    },
    {"parameters": by_name(maybe(NUMBER)), "interval": maybe(items(NUMBER))},
)
_POPULATION = record(
    {
        "size": maybe(COUNT),
        "uniques": by_name(_ESTIMATE),
        "k_map": items(
            record(
                {
                    "k": COUNT,
                    "method": TEXT,
                    "least_class": maybe(NUMBER),
                    "rows_at_risk": maybe(COUNT),
                    "holds": maybe(FLAG),
                    "reason": TEXT,
                }
            )
        ),
    },
    {
        "sampling_fraction": maybe(NUMBER),
        "uniques_between": maybe(items(NUMBER)),
        "uniques_at_most": maybe(NUMBER),
        "confidence": NUMBER,
        "correct_if_unique": maybe(NUMBER),
    },
)
_REGISTER = record(
    {
        "rows": COUNT,
        "classes": COUNT,
        "uniques": COUNT,
        "people_found": COUNT,
        "values_found": by_name(record({"values": COUNT, "found": COUNT})),
        "rows_not_found": COUNT,
        "rows_more_than_people": COUNT,
        "rows_unique_in_register": COUNT,
    }
)
_SPECIAL = record(
    {
        "max_size": COUNT,
        "rows_special": COUNT,
        "rows_by_smallest": by_name(COUNT),
        "minimal_uniques": by_name(COUNT),
        "highest_score": maybe(NUMBER),
        "average_score": maybe(NUMBER),
        "highest_dis_score": maybe(NUMBER),
        "contributions": by_name(maybe(NUMBER)),
        "subsets": COUNT,
    }
)
_JOINED = record(
    {"groups": items(NAMES), "distinct": NUMBER, "unseen": NUMBER, "most_uniques": NUMBER}
)
_ALPHA = record(
    {
        "rows": COUNT,
        "population": COUNT,
        "alpha": NUMBER,
        "delta": NUMBER,
        "domains": by_name(COUNT),
        "domains_too_small": NAMES,
        "least_distinct": NUMBER,
        "sets": items(
            record(
                {
                    "columns": NAMES,
                    "size": COUNT,
                    "uniques": COUNT,
                    "share_of_table": NUMBER,
                    "multiplied": maybe(NUMBER),
                    "measured": COUNT,
                    "most_uniques": maybe(NUMBER),
                    "k": maybe(NUMBER),
                    "joined": maybe(_JOINED),
                    "bound": maybe(NUMBER),
                    "suspected": FLAG,
                }
            )
        ),
    }
)
_AGGREGATED = record(
    {
        "values": maybe(NUMBER),
        "kappa_independent": maybe(NUMBER),
        "kappa_most": maybe(NUMBER),
        "totals": ANY,
    }
)
_GROUPED = record(
    {
        "width": COUNT,
        "values": COUNT,
        "kappa": maybe(NUMBER),
        "kappa_from_groups": maybe(NUMBER),
    }
)
RISK = {
    "anyOf": [
        record(
            {
                "format": {"const": "discreet-risk/1"},
                "columns": NAMES,
                "rows": COUNT,
                "classes": COUNT,
                "uniques": COUNT,
                "smallest_class": COUNT,
                "rows_by_class_size": items(
                    record({"from": COUNT, "to": maybe(COUNT), "rows": COUNT})
                ),
                "threshold": NUMBER,
                "prosecutor": _CHANCES,
                "journalist": _CHANCES,
                "marketer": SHARE,
                "expected_right": NUMBER,
                "population": maybe(_POPULATION),
                "register": maybe(_REGISTER),
                "uniqueness": maybe(_UNIQUENESS),
                "special_uniques": maybe(_SPECIAL),
                "notes": NAMES,
            },
            {"unit": TEXT, "rows_in_file": COUNT, "alpha": maybe(_ALPHA)},
        ),
        record(
            {
                "format": {"const": "discreet-risk/1"},
                "columns": NAMES,
                "people": NUMBER,
                "uniqueness": _UNIQUENESS,
                "aggregated": maybe(_AGGREGATED),
                "grouped": maybe(_GROUPED),
            }
        ),
    ]
}

# Texts.

_PART = record({"part": COUNT, "whole": COUNT, "share": maybe(NUMBER)})
_LANGUAGES = record(
    {
        "suspected": by_name(COUNT),
        "unclear": COUNT,
        "columns": by_name(by_name(COUNT)),
        "documents": by_name(items(ANY)),
    }
)
_KIND = record(
    {
        "spans": COUNT,
        "found": COUNT,
        "findings": COUNT,
        "right": COUNT,
        "recall": maybe(NUMBER),
        "precision": maybe(NUMBER),
        "character_recall": maybe(NUMBER),
        "character_precision": maybe(NUMBER),
    }
)
SCRUB = {
    "anyOf": [
        record(
            {
                "format": {"const": "discreet-scrub/1"},
                "documents": COUNT,
                "characters": COUNT,
                "findings": by_name(COUNT),
                "kept": COUNT,
                "removed": by_name(COUNT),
                "unprocessed": COUNT,
                "problems": by_name(COUNT),
                "left_out": COUNT,
                "notices": NAMES,
                "languages": _LANGUAGES,
                "promise": TEXT,
            },
            {
                "language": TEXT,
                "style": TEXT,
                "scope": TEXT,
                "dates": TEXT,
                "key": TEXT,
                "decisions": record({"kept": COUNT, "replaced": COUNT}),
                "facts": record({"rows": COUNT, "telling": COUNT, "unique": COUNT}),
            },
        ),
        record(
            {
                "format": {"const": "discreet-scrub/1"},
                "documents": COUNT,
                "characters": COUNT,
                "spans": COUNT,
                "found": COUNT,
                "recall": maybe(NUMBER),
                "recall_loose": maybe(NUMBER),
                "character_recall": maybe(NUMBER),
                "findings": COUNT,
                "right": COUNT,
                "precision": maybe(NUMBER),
                "character_precision": maybe(NUMBER),
                "optional": COUNT,
                "optional_found": COUNT,
                "kinds": by_name(_KIND),
                "bad_gold": by_name(COUNT),
                "seconds": NUMBER,
                "characters_per_second": maybe(NUMBER),
            }
        ),
        record(
            {
                "format": {"const": "discreet-scrub/1"},
                "language": TEXT,
                "documents": COUNT,
                "templates": COUNT,
                "changed": COUNT,
                "likelihoods": by_name(NUMBER),
                "recall_before": maybe(NUMBER),
                "recall": maybe(NUMBER),
                "precision_before": maybe(NUMBER),
                "precision": maybe(NUMBER),
                "weaknesses": record(
                    {
                        "never": NAMES,
                        "wrong": by_name(_PART),
                        "low_recall": by_name(_PART),
                        "single": by_name(ANY),
                        "unmarked": items(ANY),
                        "casing": by_name(_PART),
                    }
                ),
            }
        ),
    ]
}
