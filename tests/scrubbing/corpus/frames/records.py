"""Family three: forms, delimited text, notes of courts and of the police."""

from tests.scrubbing.corpus.style import Style

FORM = Style(
    "form",
    (
        "REGISTRATION FORM\n=================\n",
        "Intake sheet ({date})\n",
        "Claim form - please use capitals\n\n",
        "",
    ),
    (
        "Name: {p.full}",
        "Last name: {p.last}\nFirst name: {p.first}",
        "Surname ........ {p.last}\nForename ....... {p.first}",
        "Patient name: {p.formal}",
        "Full Name\t{p.three}",
        "Known as: {p.nick}",
        "Maiden name: {o.last}",
        "Spouse: {h.full}",
        "Mother's name: {m.full}",
        "Emergency contact: {m.full} (sister) {m.phone}",
        "Next of kin\n  Name: {h.full}\n  Phone: {h.phone}",
        "Address: {p.line}",
        "Street: {p.street}\nCity: {p.city}\nZIP: {p.zip}",
        "Home address:\n{p.block}",
        "Country: {p.country}",
        "Date of birth: {p.dob}",
        "DOB: {p.dob}   Sex: M",
        "Age: {age}",
        "Phone (home): {p.phone}\nFax: {phone}",
        "Mobile: {phone}",
        "E-mail: {p.email}",
        "Employer: {p.employer}\nOccupation: {job}",
        "School: {p.school}",
        "SSN: {p.ssn}",
        "Driver's license #: {licence}",
        "Insurance: {o.employer}, policy no. {account}",
        "Medical record number: {p.record}",
        "Vehicle plate: {plate}",
        "Device S/N: {serial}",
        "Username: {p.user}",
        "Website: {url}",
        "IBAN: {iban}",
        "Card number: {card}   Exp: {DATE?11/27}",
        "Referred by: Dr. {r.full}",
        "Primary physician: {r.last}",
        "Allergies: {drug}",
        "Marital status: married",
        "Preferred language: English",
        "Reason for visit: {symptom}",
        "Height: 5 ft 9 in   Weight: 154 lb",
        "Diagnosis: {eponym}",
        "Consent given: Yes [x] No [ ]",
    ),
    (
        "\nSignature: {p.full}    Date: {date}\n",
        "\nSigned {p.short}, {date}\n",
        "\nFor office use only: {ref}\n",
        "\nReceived by {d.initials} on {date}\n",
    ),
    least=8,
    most=16,
    between="\n",
)

CSV = Style(
    "delimited",
    ("id,name,born,city,zip,phone\n", "id|name|email|note\n", "name;address;amount\n", ""),
    ("{row}",),
    ("\n",),
    least=2,
    most=6,
    between="\n",
)

ROWS = {
    "id,name,born,city,zip,phone\n": "{nn},{X.full},{X.dob},{X.city},{X.zip},{X.phone}",
    "id|name|email|note\n": "{nn}|{X.formal}|{X.email}|called {when}, wants {product}",
    "name;address;amount\n": "{X.full};{X.line};{money}",
    "": "{X.last}^{X.first}^{X.record}^{X.street}^{X.city}^{drug}",
}
"""Each row of a delimited text is about a person X of its own."""

COURT = Style(
    "court",
    (
        "IN THE {ORGANIZATION?DISTRICT COURT}\nCase No. {ref}\n\n{o.caps}, Plaintiff,\nv.\n"
        "{p.caps}, Defendant.\n\n",
        "Minutes of hearing, {date}\nBefore: Judge {d.full}\nCase: {o.last} v. {p.last}, {ref}\n\n",
        "AFFIDAVIT\n\nI, {p.three}, of {p.line}, make oath and say:\n",
    ),
    (
        "The defendant, {p.full}, born {p.dob}, resides at {p.line}.",
        "Counsel for the plaintiff, {d.full} of {d.employer}, objected.",
        "Witness {o.full} testified that she saw Mr. {p.last} on {date}.",
        "The minor child, {m.first_l}, lives with the respondent.",
        "The applicant is a {job} employed by {p.employer}.",
        "Mr. {p.last} failed to appear on {day}.",
        "Ms. {o.last} was sworn and examined.",
        "The parties married in {p.city} on {date}.",
        "Officer {d.last}, badge {account}, gave evidence.",
        "The court finds that {p.last} owes {o.last} the sum of {money}.",
        "Dr. {r.last}, a psychiatrist at {r.hospital}, filed a report.",
        "The deed was recorded in Book {nn}, Page {nn}.",
        "The motion is granted in part.",
        "Exhibit {n} was received without objection.",
        "The Court will rise.",
        "Counsel may approach.",
    ),
    (
        "\n\nSo ordered.\n{d.full}\nJudge of the {ORGANIZATION?District Court}\n{date}\n",
        "\n\nClerk: {o.short}\n",
        "\n\nSworn before me this {date}.\n{d.full}, Notary Public\n",
    ),
)

POLICE = Style(
    "police",
    (
        "INCIDENT REPORT {ref}\nReporting officer: {d.full} #{d.record}\n"
        "Date/time: {date} {clock}\n\n",
        "Occurrence log {date}\n",
        "Narrative (Ofc. {d.last}):\n",
    ),
    (
        "At approx. {clock} I responded to {p.street} in {p.city} for a report of a break-in.",
        "Complainant {p.full} (DOB {p.dob}, tel {p.phone}) stated that her {product} was gone.",
        "Suspect identified as {o.formal}, W/M, {age} yrs, OLN {licence}.",
        "Vehicle: blue {VEHICLE?Ford Focus}, plate {plate}.",
        "Victim's brother, {m.full}, of {m.line}, was notified.",
        "{o.last} fled on foot towards {o.street}.",
        "Sgt. {r.last} and Det. {r.full} arrived at {clock}.",
        "Witness: {h.full}, employed at {h.employer}, ph. {h.phone}.",
        '{o.first} goes by the street name "{o.nick}".',
        "{p.first} was taken to {o.hospital} by ambulance.",
        "Suspect posts online as {o.user}, see {url}.",
        "SSN on file: {p.ssn}.",
        "Stolen: {product}, value {money}; serial {serial}.",
        "Subject smelled of alcohol and was unsteady.",
        "Scene secured. Photos taken.",
        "Case cleared by arrest.",
        "No further action.",
    ),
    ("\n\n{d.short}\nEnd of report\n", "\n", "\n\nApproved: Lt. {r.full}, {date}\n"),
    between="\n",
)

STYLES = (FORM, CSV, COURT, POLICE)
