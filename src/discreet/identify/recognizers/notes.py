"""Free text, in which anything may stand."""

from __future__ import annotations

from discreet.identify.recognizers.recognizer import Recognizer
from discreet.table.role import Role

NOTES = Recognizer(
    "free text", "remarks in free text", "notes", Role.text,
    names=("note", "notes", "comment", "comments", "remark", "remarks", "free text", "freetext",
           "narrative", "clinical notes", "letter", "message", "summary", "discharge summary",
           "report text", "bemerkung", "bemerkungen", "anmerkung", "kommentar", "freitext",
           "arztbrief", "opmerking", "opmerkingen", "toelichting", "commentaire", "remarque",
           "observations", "observaciones", "comentario", "comentarios", "notas"),
    fits=lambda value: len(value) > 3 and not value.replace(".", "").isdecimal(),
    examples=("seen on Monday, doing well",), counterexamples=("1", "2.5"),
)  # fmt: skip

ALL = (NOTES,)
