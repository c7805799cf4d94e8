"""Which replacer serves which kind; kinds that are not here are removed."""

from __future__ import annotations

from discreet.scrub.replace.age import age
from discreet.scrub.replace.block import block
from discreet.scrub.replace.context import Replace
from discreet.scrub.replace.date import date
from discreet.scrub.replace.device import device
from discreet.scrub.replace.ip import ip
from discreet.scrub.replace.mail import mail, url, username
from discreet.scrub.replace.name import name
from discreet.scrub.replace.number import number
from discreet.scrub.replace.phone import phone
from discreet.scrub.replace.place import address, city, organization, state, street
from discreet.scrub.replace.social_security import social_security
from discreet.scrub.replace.zip_code import zip_code

REPLACERS: dict[str, Replace] = {
    "NAME": name,
    "ORGANIZATION": organization,
    "STREET": street,
    "CITY": city,
    "STATE": state,
    "COUNTRY": state,
    "ZIP": zip_code,
    "ADDRESS": address,
    "LOCATION": address,
    "BLOCK": block,
    "PHONE": phone,
    "FAX": phone,
    "EMAIL": mail,
    "URL": url,
    "USERNAME": username,
    "IP": ip,
    "DATE": date,
    "AGE": age,
    "SSN": social_security,
    "RECORD": number,
    "ACCOUNT": number,
    "LICENSE": number,
    "VEHICLE": number,
    "DEVICE": device,
    "ID": number,
    "CARD": number,
    "IBAN": number,
}
"""TEAM, OCCUPATION, PASSWORD and kinds nobody knows here cannot be replaced sensibly."""

MAY_STAY = frozenset({"STATE", "COUNTRY", "ZIP", "DATE", "AGE"})
"""Kinds whose value may come out as it was; any other that does is removed."""
