"""Offences, courts and the right to stay."""

from __future__ import annotations

from discreet.kinds.recognizer import Recognizer, Special
from discreet.table.table import Role

OFFENCE = Recognizer(
    "offence", "offences", "secrets", Role.sensitive, special=Special.OFFENCES,
    names=("offence", "offense", "offender", "crime", "crimes", "conviction", "convictions",
           "convicted", "prior conviction", "prior convictions", "sentence", "sentence length",
           "sentenced", "arrest", "arrested", "arrests", "prior arrests", "criminal charge",
           "criminal record", "criminal history", "police record", "felony", "felonies",
           "juv fel count", "juv misd count", "juv other count", "misdemeanor", "misdemeanors",
           "charge degree", "charge desc", "charge description", "c charge degree", "c charge desc",
           "r charge desc", "r charge degree", "vr charge desc", "vr charge degree", "is recid",
           "is violent recid", "recid", "recidivism", "recidivist", "two year recid",
           "violent recid", "decile score", "v decile score", "score text", "v score text",
           "risk of recidivism", "priors", "priors count", "prior offenses", "prison",
           "prison time", "jail", "jail time", "days in jail", "days b screening arrest",
           "incarcerated", "incarceration", "in custody", "custody", "parole", "probation",
           "supervision level", "custody status", "bail", "bail amount", "plea", "verdict",
           "acquitted", "warrant", "gang", "gang member", "dui", "dwi", "traffic violation",
           "violation", "violations", "pub rec", "public records", "public record", "fraud",
           "fraud reported", "theft", "victim", "victimization", "domestic violence",
           "sex offender", "citation", "citation issued", "warning issued", "ticket issued",
           "contraband", "contraband found", "search conducted", "searched", "frisked",
           "frisk performed", "reason for stop", "stop reason", "stop outcome", "use of force",
           "handcuffed", "charged", "indicted", "guilty", "acquittal", "arrest made",
           "law enforcement", "police", "police contact", "gun", "weapon", "weapon found",
           "restraining order", "lawsuit", "litigation", "straftat", "straftaten", "tatvorwurf",
           "delikt", "delikte", "deliktart", "vorstrafe", "vorstrafen", "vorbestraft",
           "verurteilung", "verurteilt", "urteil", "strafmass", "haft", "haftdauer", "haftstrafe",
           "freiheitsstrafe", "bewahrung", "bewaehrung", "fuhrungszeugnis", "strafregister",
           "ordnungswidrigkeit", "ermittlungsverfahren", "bussgeld", "tatverdacht",
           "tatverdachtiger", "misdrijf", "strafblad", "delict", "infraction", "condamnation",
           "delito", "condena", "arresting", "arresting agency", "docket", "docket count", "court",
           "court case", "security level", "custody level", "indictment", "booking charge",
           "gericht", "gerichtsverfahren", "inhaftiert"),
    compounds=("straf-", "-strafe", "-delikt", "-straftat", "delikt-", "vorstrafen-", "haft-"),
    vague=("citation", "searched", "charged", "police", "gun", "weapon", "litigation", "lawsuit",
           "sentence", "violation", "violations", "victim", "probation", "fraud", "theft",
           "custody", "warrant", "crime", "crimes", "urteil", "infraction", "jail", "verdict",
           "haft", "haft-", "score text", "priors", "bussgeld", "offense", "offence", "arrest",
           "docket", "court", "security level", "gericht"),
)  # fmt: skip
STAY = Recognizer(
    "residence status", "the right to stay in a country", "secrets", Role.sensitive,
    special=Special.ORIGIN,
    names=("immigration status", "residence permit", "residence status", "visa status", "visa type",
           "asylum", "asylum seeker", "asylum status", "refugee", "refugee status", "undocumented",
           "deportation", "aufenthaltsstatus", "aufenthaltstitel", "aufenthaltserlaubnis",
           "asylstatus", "asylbewerber", "fluchtling", "duldung", "abschiebung"),
    compounds=("asyl-", "aufenthalts-"),
)  # fmt: skip

ALL = (OFFENCE, STAY)
