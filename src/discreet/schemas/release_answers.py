"""What is said of releases: by anonymize, together, compare and advise."""

from __future__ import annotations

from discreet.schemas.check_answers import ATTACKS
from discreet.schemas.shapes import (
    ANONYMITY,
    COUNT,
    FLAG,
    LEVELS,
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

MOMENTS = record(
    {"mean": maybe(NUMBER), "deviation": maybe(NUMBER), "skewness": maybe(NUMBER)},
)
UTILITY = record(
    {
        "rows_before": COUNT,
        "rows_after": COUNT,
        "distortion": maybe(NUMBER),
        "columns": items(
            record(
                {
                    "column": TEXT,
                    "missing_before": NUMBER,
                    "missing_after": NUMBER,
                    "total_variation": maybe(NUMBER),
                    "divergence": maybe(NUMBER),
                    "before": maybe(MOMENTS),
                    "after": maybe(MOMENTS),
                    "quantiles": maybe(by_name(maybe(NUMBER))),
                    "changed": maybe(NUMBER),
                    "loss": maybe(NUMBER),
                }
            )
        ),
        "pairs": items(
            record(
                {
                    "columns": NAMES,
                    "total_variation": maybe(NUMBER),
                    "divergence": maybe(NUMBER),
                    "correlation_before": maybe(NUMBER),
                    "correlation_after": maybe(NUMBER),
                }
            )
        ),
    }
)
TECHNIQUE = record(
    {
        "technique": TEXT,
        "columns": maybe(NAMES),
        "protection": TEXT,
        "truthful": FLAG,
        "keeps": TEXT,
        "utility": maybe(UTILITY),
    },
    {"table": TEXT},
)
ODD = record({"values": COUNT, "rows": maybe(COUNT)})
SETTINGS = record(
    {
        "algorithm": TEXT,
        "suppress": NUMBER,
        "useful": FLAG,
        "tried": items(
            record(
                {
                    "algorithm": TEXT,
                    "suppress": NUMBER,
                    "granularity": maybe(NUMBER),
                    "loss": maybe(NUMBER),
                    "rows_suppressed": maybe(COUNT),
                    "columns_lost": maybe(NAMES),
                    "why": maybe(TEXT),
                }
            )
        ),
        "rows_sampled": maybe(COUNT),
    }
)
_FOUND: dict[str, Shape] = {
    "algorithm": TEXT,
    "measure": TEXT,
    "levels": LEVELS,
    "heights": by_name(COUNT),
    "released_as": by_name(TEXT),
    "cells_suppressed": COUNT,
    "classes": COUNT,
    "smallest_class": maybe(COUNT),
    "anonymity": maybe(ANONYMITY),
    "profile": maybe(PROFILE),
    "choice": one_of("best", "blind"),
    "replaced": by_name(TEXT),
    "missing": MISSING,
    "measures": by_name(maybe(NUMBER)),
    "verdicts": items(VERDICT),
    "optimal": record(
        {
            "proven": FLAG,
            "bound": maybe(NUMBER),
            "gap": maybe(NUMBER),
            "nodes": COUNT,
            "nodes_checked": COUNT,
        }
    ),
    "unique_rows": maybe(UNIQUE_ROWS),
    "several_rows_per_person": maybe(SEVERAL_ROWS),
    "part": maybe(record({"where": maybe(TEXT), "columns": maybe(NAMES)})),
    "techniques": items(TECHNIQUE),
    "identifying_columns": items(
        record(
            {
                "column": TEXT,
                "role": TEXT,
                "rows": COUNT,
                "rows_unique": COUNT,
                "share": SHARE,
                "distinct": COUNT,
                "note": TEXT,
            }
        )
    ),
    "formulas": maybe(record({"cells": by_name(COUNT), "names": NAMES})),
    "notes": NAMES,
    "seconds": NUMBER,
    "timings": record(
        {
            stage: maybe(NUMBER)
            for stage in ("prepare", "count", "plan", "search", "recode", "write", "verify")
        }
    ),
}
_PEOPLE: dict[str, Shape] = {
    "people": COUNT,
    "people_released": COUNT,
    "people_suppressed": COUNT,
}
_RULE = {"anyOf": [TEXT, {"type": "object"}]}
_ROWS: dict[str, Shape] = {"rows": COUNT, "rows_released": COUNT, "rows_suppressed": COUNT}
_SOMETIMES: dict[str, Shape] = {
    **_PEOPLE,
    "records": record({"rule": _RULE, "rows_left_out": COUNT}),
    "ledger": record(
        {
            "file": TEXT,
            "number": maybe(COUNT),
            "to": TEXT,
            "table": TEXT,
            "known": items(COUNT),
        }
    ),
    "cleaned": items(record({"column": TEXT, "missing": COUNT, "zeros_restored": COUNT})),
    "scrubbed": by_name(by_name(COUNT)),
    "odd_values": items(record({"column": TEXT}, {"range": ODD, "later": ODD, "other": ODD})),
    **ATTACKS,
    "chosen": SETTINGS,
}
_FORMAT = {"format": {"const": "discreet-anonymize/1"}}

ANONYMIZE = {
    "anyOf": [
        record({**_FORMAT, **_FOUND, **_ROWS}, _SOMETIMES),
        record({**_FORMAT, "statements": NAMES}),
    ]
}
TOGETHER = record(
    {
        "format": {"const": "discreet-together/1"},
        **_FOUND,
        **_PEOPLE,
        "records": record({"rule": _RULE}),
        "tables": by_name(
            record(
                {
                    "file": TEXT,
                    "rows": COUNT,
                    "rows_released": COUNT,
                    "rows_suppressed": COUNT,
                    "rows_left_out": COUNT,
                }
            )
        ),
    },
    {key: _SOMETIMES[key] for key in ("cleaned", "odd_values", *ATTACKS)},
)
COMPARE = record(
    {
        "format": {"const": "discreet-compare/1"},
        "measure": TEXT,
        "results": items(
            record(
                {
                    **_FORMAT,
                    "title": TEXT,
                    **_FOUND,
                    **_ROWS,
                    "holds": FLAG,
                    "rows_at_risk": COUNT,
                    **ATTACKS,
                },
                {key: one for key, one in _SOMETIMES.items() if key not in ATTACKS},
            )
        ),
        "refused": items(record({"title": TEXT, "why": TEXT})),
    }
)

# What advise says: figures of the policy as it is, and of each change.

FIGURES = record(
    {
        "rows": COUNT,
        "rows_released": COUNT,
        "rows_suppressed": COUNT,
        "rows_left_out": COUNT,
        "cells": COUNT,
        "cells_kept": COUNT,
        "loss": NUMBER,
        "granularity": NUMBER,
        "holds": FLAG,
        "proven": FLAG,
        "columns": items(
            record(
                {
                    "column": TEXT,
                    "level": maybe(COUNT),
                    "rows_kept": COUNT,
                    "share": SHARE,
                    "granularity": NUMBER,
                }
            )
        ),
    }
)
_UNTRIED = items(record({"change": TEXT, "why": TEXT}))
ADVISE = record(
    {
        "format": {"const": "discreet-advise/1"},
        "file": TEXT,
        "before": maybe(FIGURES),
        "refused": maybe(TEXT),
        "suggestions": items(
            record(
                {
                    "changes": items(record({"kind": TEXT, "text": TEXT})),
                    "weakens": FLAG,
                    "weakening": NUMBER,
                    "detail": NUMBER,
                    "gain": NUMBER,
                    "policy": TEXT,
                    "after": FIGURES,
                    "seconds": NUMBER,
                }
            )
        ),
        "without_gain": _UNTRIED,
        "not_tried": _UNTRIED,
        "seconds": NUMBER,
    }
)
