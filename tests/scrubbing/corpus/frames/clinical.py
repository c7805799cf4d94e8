"""Family one: letters between physicians, discharge summaries, nurses' fragments, capitals."""

from tests.scrubbing.corpus.style import Style

_TELLS = (
    "I had the pleasure of seeing {p.first} in clinic on {date}.",
    "Thank you for sending us {p.full}, whom we reviewed {when}.",
    "{p.first} is a {age} year old right-handed {job} with {symptom}.",
    "As you will recall, {p.nick} was first seen here in {month_year} for {symptom}.",
    "Mr. {p.last} tells me that the {drug} has helped.",
    "Mrs. {p.last} has been troubled by {symptom} since {day}.",
    "She was diagnosed with {eponym} in {month_year} by Dr. {o.last} at {o.hospital}.",
    "His mother, {m.full}, works at {m.employer} and can be reached at {m.phone}.",
    "Her husband {h.first} drove her in {DATE?today}.",
    "{p.first}'s father had {eponym} and died at the age of {old_age}.",
    "The family lives in {p.city}, where {m.first} teaches at {m.school}.",
    "We will contact Mrs. {m.last} in {DATE?a week} at {m.employer}, {m.phone}, about follow up.",
    "He plays for the {p.team} and hopes to return by {when}.",
    "I discussed the findings with Dr. {o.full} over the telephone ({o.phone}).",
    "Dr. {o.last}'s note of {date} mentions {symptom} as well.",
    "The scan of {date} was read by {o.short}, M.D., and shows no change.",
    "{p.last} was admitted to {o.hospital} between {date} and {date}.",
    "Both {m.first} and {h.first} were present for the discussion.",
    "Please send any reports to {d.email} or fax them to {phone}.",
    "The pump, serial number {serial}, was replaced on {date}.",
    "A neighbor, {o.first} {p.last}, checks on her every morning.",
    "Her sister {m.nick} has volunteered to help with meals.",
    "{p.first} attends {p.school} and is in the sixth grade.",
    "He retired from {p.employer} after {nn} years.",
    "This was treated by Dr. {o.last} at {o.hospital_founder}'s in {month_year}.",
    "Her grandfather, aged {old_age}, lives with them at {p.street}.",
    "{p.first} and her twin {m.first} were born on {p.dob}.",
    "Since {month} the {symptom} has eased.",
    "My colleague {o.full} will take over while I am away.",
)
_PLAIN = (
    "On examination {measure}, {measure}, lungs clear.",
    "Current medications are {drug}, {drug} and {drug}.",
    "There is no family history of {eponym}.",
    "The {sign} was negative and the rest of the examination was unremarkable.",
    "Will continue {drug} twice a day and recheck in {weeks}.",
    "May return to work if the pain allows.",
    "Laboratory studies showed {measure} and {measure}.",
    "Weight and height are both in the 50th percentile.",
    "A {sign} was placed without difficulty.",
    "Hope to see some improvement with physical therapy.",
    "We would grant that the picture is not typical of {eponym}.",
    "The rash rose again after {drug} was stopped.",
    "Medicare will not cover the second course.",
    "Insulin was increased from 12 to 14 units at bedtime.",
    "Blood cultures grew Staphylococcus aureus.",
)

LETTER = Style(
    "letter",
    (
        "{date}\n\n{r.full}, M.D.\n{r.hospital}\n{r.block}\n\nRE: {p.full}\n"
        "MR#{p.record}\nDOB {p.dob}\n\n"
        "Dear Dr. {r.last}:\n\n",
        "{d.hospital}\n{ORGANIZATION?Department of Neurology}\n{d.block}\nTel. {d.phone}\n\n"
        "{date}\n\n"
        "Re: {p.formal}   Hosp. No. {p.record}\n\nDear {r.first},\n\n",
        "{r.middle}, MD\n{r.block}\n\nPatient: {p.three}\nDate of birth: {p.dob}\nSeen: {date}\n\n"
        "Dear Doctor {r.last},\n\n",
        "Date: {date}\nTo: Dr {r.full}, {r.line}\n"
        "Regarding: {p.full}, {p.line}, NHS No {p.record}\n\n"
        "Dear Colleague,\n\n",
    ),
    _TELLS + _PLAIN,
    (
        "\n\nSincerely,\n\n{d.full}, M.D.\nPager {d.record}\n",
        "\n\nWith kind regards,\n\nDr {d.short}\nConsultant Physician\ncc: {o.full}, {p.full}\n",
        "\n\nYours truly,\n\n\n{d.middle}, M.D., Ph.D.\n{d.hospital}\n{d.phone}\n",
        "\n\n{d.full} MD/jk\nDictated {date}, transcribed {date}\n",
    ),
)

DISCHARGE = Style(
    "discharge",
    (
        "DISCHARGE SUMMARY\n\nPatient Name: {p.formal}\nMRN: {p.record}\nAdmission Date: {date}\n"
        "Discharge Date: {date}\nAttending: {d.full}, M.D.\n\nHistory of Present Illness:\n",
        "{d.hospital} -- Discharge Note\nName: {p.caps}   Unit No: {p.record}\n"
        "Adm: {date}  Disch: {date}\n"
        "Service: Medicine    Physician: {d.last}\n\nHOSPITAL COURSE:\n",
        "Admission Date:  {date}     Discharge Date:  {date}\nDate of Birth:  {p.dob}     Sex:  F\n"
        "Attending:  {d.short}\nChief Complaint:  {symptom}\n\n",
    ),
    (
        "The patient is a {age} y/o with a history of {eponym} who presented to "
        "{o.hospital} with {symptom}.",
        "Ms. {p.last} was transferred from {o.hospital} on {day}.",
        "This {old_age} year old resident of {o.hospital} fell at home.",
        "Cardiology (Dr. {o.last}) was consulted and advised {drug}.",
        "Pt's daughter {m.full} ({m.phone}) is health care proxy.",
        "Patient lives with wife {h.first} in {p.city}.",
        "On {day} the {sign} was removed.",
        "Seen by {o.full} of physical therapy on hospital day {n}.",
        "{head} stable; {measure}; {measure}.",
        "{head} {drug}, {drug}.",
        "Follow up with Dr. {r.full} on {date} at {clock}.",
        "Call {phone} with fever over 101.5.",
        "PCP is {r.full} in {r.city}, office {r.phone}.",
        "Former {job} at {p.employer}; quit smoking in {month_year}.",
        "Code status was reviewed with {h.first} {p.last}.",
        "Discharged to {o.hospital} in good condition.",
        "Transferred from {o.hospital_short} for further care.",
        "{old_age}-year-old woman, mother of Dr. {o.full}.",
        *_PLAIN,
    ),
    (
        "\n\nDictated By: {d.full}, M.D.\nD: {date}\nT: {date}\nJob#: {p.record}\n",
        "\n\nElectronically signed by {d.first} {d.last} on {date} at {clock}\n",
        "\n\n{d.caps}, MD\nCC: {r.full}\n",
    ),
    between="\n",
)

NURSE = Style(
    "nurse",
    (
        "{date} 0700-1900 RN note\n",
        "Nsg progress note -- {p.last}, rm {nn}\n",
        "NPN: pt {p.initials} see flowsheet.\n",
        "{day} nights. pt {p.first} {p.last}.\n",
    ),
    (
        "a+ox3, {measure}, {measure}.",
        "c/o {symptom}, {drug} given w/ effect.",
        "dtr {m.first} in to visit, will bring glasses.",
        "wife {h.full} called x2, updated by MD {o.last}.",
        "Dr {o.last} aware, no new orders.",
        "pt likes to be called {p.nick}.",
        "{p.nick} slept well, oob to chair x1.",
        "son {m.first} ({m.phone}) to p/u at {clock}.",
        "social: lives alone in {p.city}, retired from {p.employer}.",
        "IV L hand patent. {sign} draining clear.",
        "SW {o.full} pg {phone} re: placement at {o.hospital}.",
        "resp: ls clear, {measure}.",
        "gi: +bs, tol reg diet. gu: voiding.",
        "plan: cont {drug}, d/c to {o.hospital} {when}.",
        "family mtg w {o.first} from case mgmt {day}.",
        "bs 212, covered per ss.",
        "neighbor {o.full} has the dog.",
        "mom {m.nick} at bedside, approp w/ baby.",
        "Fr. {o.last} in to anoint pt.",
        "will monitor.",
        "may shower in am.",
    ),
    ("\n{d.short}, RN\n", "\n-- {d.first} {d.last} RN\n", "\n{d.initials}\n", "\n"),
    between="\n",
)

DICTATION = Style(
    "capitals",
    (
        "OPERATIVE NOTE\n\nPATIENT: {p.formal}\nRECORD: {p.record}\nDATE: {date}\n"
        "SURGEON: {d.full}, M.D.\n\n",
        "RADIOLOGY REPORT\n{d.hospital}\nNAME: {p.full}   DOB: {p.dob}\n"
        "REFERRED BY: DR. {r.last}\n\n",
        "{date}\n\nDEAR DR. {r.last}:\n\n",
    ),
    _TELLS + _PLAIN,
    ("\n\n{d.full}, M.D.\n", "\n\nSIGNED: {d.short}\nCC: DR. {r.full}, {r.line}\n"),
    case="capitals",
)

STYLES = (LETTER, DISCHARGE, NURSE, DICTATION)
