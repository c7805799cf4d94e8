"""What is said of private tables: by inspect, identify, mask, levels, hipaa, techniques, delta."""

from __future__ import annotations

from discreet.schemas.release_answers import SETTINGS
from discreet.schemas.shapes import (
    ANY,
    COUNT,
    FLAG,
    NAMES,
    NUMBER,
    SHARE,
    TEXT,
    by_name,
    items,
    maybe,
    one_of,
    record,
)

_GIVEN_UP = items(record({"kind": TEXT, "why": TEXT, "values": maybe(COUNT), "rows": maybe(COUNT)}))
_COARSENING = record(
    {
        "base": maybe(NUMBER),
        "bottom": maybe(NUMBER),
        "top": maybe(NUMBER),
        "shared_by": COUNT,
        "cut_share": NUMBER,
        "spec": ANY,
    }
)
_CHOICE = record(
    {
        "singled_out_share_with": NUMBER,
        "singled_out_share_without": NUMBER,
        "optional": FLAG,
        "same_as": NAMES,
    }
)
_COLUMN = record(
    {
        "name": TEXT,
        "kind": TEXT,
        "missing": COUNT,
        "missing_share": SHARE,
        "distinct": COUNT,
        "distinct_exact": FLAG,
        "unique": maybe(COUNT),
        "unique_share": maybe(SHARE),
        "role": TEXT,
        "reasons": NAMES,
        "recognized": maybe(TEXT),
        "identifier_kind": maybe(TEXT),
        "hipaa": maybe(TEXT),
        "doubt": maybe(TEXT),
        "hints": NAMES,
        "shapes": NAMES,
        "proposal": one_of("withheld", "recoded", "coarsened", "as found"),
        "hierarchy": ANY,
        "missing_words": by_name(COUNT),
        "lost_zeros": COUNT,
        "special": maybe(TEXT),
        "coarsening": maybe(_COARSENING),
        "choice": maybe(_CHOICE),
        "hierarchy_reason": maybe(TEXT),
        "given_up": _GIVEN_UP,
    }
)
_PEOPLE = record(
    {
        "column": TEXT,
        "reason": TEXT,
        "unit": TEXT,
        "rows": COUNT,
        "people": COUNT,
        "exact": FLAG,
        "most_rows": COUNT,
        "caps": items(record({"cap": COUNT, "rows_dropped": COUNT, "share_dropped": SHARE})),
        "cap": maybe(COUNT),
        "spec": ANY,
    }
)
INSPECT = {
    "anyOf": [
        record(
            {
                "format": {"const": "discreet-inspect/1"},
                "file": TEXT,
                "rows": COUNT,
                "columns": items(_COLUMN),
                "notices": NAMES,
                "combinations": items(
                    record({"columns": NAMES, "singled_out_share": SHARE, "rows_checked": COUNT})
                ),
                "people": maybe(_PEOPLE),
            },
            {"policy": maybe(TEXT), "settings": maybe(SETTINGS), "not_tried": maybe(TEXT)},
        ),
        record(
            {
                "format": {"const": "discreet-inspect/1"},
                "column": TEXT,
                "reason": TEXT,
                "given_up": _GIVEN_UP,
                "tree": NAMES,
            }
        ),
    ]
}

_PROMISE = record(
    {
        "sampled": COUNT,
        "of": one_of("rows", "pairs"),
        "epsilon": NUMBER,
        "delta": NUMBER,
        "at_least": maybe(NUMBER),
        "at_most": maybe(NUMBER),
    }
)
_COUNTED = {
    "columns": NAMES,
    "distinct_ratio": maybe(SHARE),
    "separation_ratio": maybe(SHARE),
    "distinct": maybe(COUNT),
    "uniques": maybe(COUNT),
    "entropy": maybe(NUMBER),
}
_SET = record({**_COUNTED, "weight": NUMBER})
_MEASURED = one_of("separation", "distinct")
IDENTIFY = record(
    {
        "format": {"const": "discreet-identify/1"},
        "question": one_of("minimum", "all"),
        "columns": COUNT,
        "weights": by_name(NUMBER),
        "measure": _MEASURED,
        "beta": NUMBER,
        "max_size": maybe(COUNT),
        "rows": COUNT,
        "duplicates_removed": COUNT,
        "sets": items(_SET),
        "exact": FLAG,
        "complete": FLAG,
        "delta": maybe(NUMBER),
        "promise": maybe(_PROMISE),
        "notes": NAMES,
    },
    {
        "bound": maybe(NUMBER),
        "size_factor": maybe(NUMBER),
        "looked_at": COUNT,
        "most_identifying": items(record(_COUNTED, {"weight": NUMBER})),
    },
)
MASK = record(
    {
        "format": {"const": "discreet-mask/1"},
        "publish": NAMES,
        "withhold": NAMES,
        "distinct_ratio": maybe(SHARE),
        "separation_ratio": maybe(SHARE),
        "uniques": maybe(COUNT),
        "exact": FLAG,
        "measure": _MEASURED,
        "beta": NUMBER,
        "strict": FLAG,
        "rows": COUNT,
        "weight": NUMBER,
        "bound": maybe(NUMBER),
        "promise": maybe(_PROMISE),
        "notes": NAMES,
    }
)

_CLASSES = {
    "classes": COUNT,
    "smallest_class": COUNT,
    "average_class_size": NUMBER,
}
LEVELS = record(
    {
        "format": {"const": "discreet-levels/1"},
        "file": TEXT,
        "tables": items(
            record(
                {
                    "columns": NAMES,
                    "with": NAMES,
                    "rows": COUNT,
                    "most_dropped": NUMBER,
                    "levels": items(
                        record(
                            {
                                "level": NUMBER,
                                "k": COUNT,
                                "width": maybe(
                                    by_name(record({"name": TEXT, "size": maybe(NUMBER)}))
                                ),
                                "rows_dropped": COUNT,
                                "share_dropped": SHARE,
                                "average_class_size": maybe(NUMBER),
                            }
                        )
                    ),
                    "widths": maybe(
                        items(record({"name": TEXT, "size": maybe(NUMBER), **_CLASSES}))
                    ),
                    "notes": NAMES,
                }
            )
        ),
    }
)
HIPAA = record(
    {
        "format": {"const": "discreet-hipaa/1"},
        "file": TEXT,
        "rows": COUNT,
        "holds": FLAG,
        "broken": NAMES,
        "as_of": TEXT,
        "zip_table": record(
            {"file": TEXT, "source": TEXT, "date": TEXT, "prefixes": COUNT, "small": COUNT}
        ),
        "columns": items(
            record(
                {
                    "column": TEXT,
                    "rule": maybe(TEXT),
                    "standing": one_of("meets", "breaks", "look"),
                    "why": TEXT,
                    "fix": TEXT,
                    "counts": by_name(COUNT),
                }
            )
        ),
        "notices": NAMES,
        "checked": TEXT,
        "rules": items(record({"rule": TEXT, "about": TEXT, "allowed": TEXT})),
    },
    {"policy": maybe(TEXT)},
)

_KNOWN = {"technique": TEXT, "protection": TEXT, "truthful": maybe(FLAG), "keeps": TEXT}
TECHNIQUES = {
    "anyOf": [
        record({"format": {"const": "discreet-techniques/1"}, "techniques": items(record(_KNOWN))}),
        record(
            {
                "format": {"const": "discreet-techniques/1"},
                "rows": COUNT,
                "rows_compared": COUNT,
                "columns": NAMES,
                "ordered": items(
                    record(
                        {
                            **_KNOWN,
                            "columns": maybe(NAMES),
                            "parameters": by_name(ANY),
                            "distortion": NUMBER,
                        }
                    )
                ),
                "unfit": items(record({"technique": TEXT, "column": maybe(TEXT), "why": TEXT})),
            }
        ),
    ]
}
DELTA = record(
    {
        "format": {"const": "discreet-delta/1"},
        "rows": COUNT,
        "population": COUNT,
        "prior": NUMBER,
        "acceptable_misuse": maybe(NUMBER),
        "acceptable_misuse_absent": maybe(NUMBER),
        "min": NUMBER,
        "max": NUMBER,
        "belief_at_min": maybe(NUMBER),
        "belief_at_max": maybe(NUMBER),
        "policy_line": TEXT,
    }
)
