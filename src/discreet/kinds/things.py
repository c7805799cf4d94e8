"""Vehicles, devices, codes and bodies that belong to one person, and free text."""

from __future__ import annotations

import re

from discreet.kinds.checksums import has_vin_check_digit, load_standard_check, luhn
from discreet.kinds.recognizer import Item, Recognizer, Special, is_code
from discreet.table.table import Role

_VIN = re.compile(r"[A-HJ-NPR-Z\d]{17}")
_MAC = re.compile(
    r"[0-9a-f]{2}([:-])([0-9a-f]{2}\1){4}[0-9a-f]{2}|([0-9a-f]{4}\.){2}[0-9a-f]{4}", re.IGNORECASE
)
_IMEI = re.compile(r"\d{2}[ -]?\d{6}[ -]?\d{6}[ -]?\d")
_UDI = re.compile(r"\(01\)(\d{14})(\(\d{2}\).+)?")
UNISSUED_MAC = "00005e0053"
"""How addresses set apart for documentation begin, before two more digits (RFC 7042)."""
_PLATE = re.compile(r"(?=.*\d)(?=.*[A-ZÄÖÜ])[A-ZÄÖÜ\d]{1,4}([ -]?[A-Z\d]{1,4}){1,3}")


def is_vin(value: str) -> bool:
    """A vehicle identification number, by its check digit."""
    text = value.upper()
    return _VIN.fullmatch(text) is not None and not text.isalpha() and has_vin_check_digit(text)


def may_be_vin(value: str) -> bool:
    """Seventeen characters of a vehicle number; European ones have no check digit."""
    return _VIN.fullmatch(value.upper()) is not None


def is_plate(value: str) -> bool:
    """A few letters and digits in groups, as on a license plate."""
    return len(value) <= 11 and _PLATE.fullmatch(value.upper()) is not None


def is_mac(value: str) -> bool:
    """The hardware address of a network card."""
    return _MAC.fullmatch(value) is not None


def is_imei(value: str) -> bool:
    """The number of a mobile phone, by its check digit."""
    return _IMEI.fullmatch(value) is not None and luhn(re.sub(r"\D", "", value))


def is_udi(value: str) -> bool:
    """A unique device identifier of a medical device, by its trade item number."""
    found = _UDI.fullmatch(value)
    return found is not None and load_standard_check("ean")(found[1])


VIN = Recognizer(
    "vehicle", "vehicle identification numbers", "things", Role.identifier, Item.VEHICLE,
    names=("vin", "vehicle id", "vehicle identification number", "chassis number",
           "fahrgestellnummer", "fin", "chassisnummer", "numero de chassis", "bastidor"),
    fits=may_be_vin, proof=is_vin, chance=1 / 11,
    examples=("1M8GDM9AXKP042788", "11111111111111111"),
    counterexamples=("1M8GDM9A1KP042788", "1M8GDM9AXKP04278", "IOQGDM9AXKP042788"),
)  # fmt: skip
PLATE = Recognizer(
    "license plate", "license plates", "things", Role.identifier, Item.VEHICLE,
    names=("license plate", "licence plate", "number plate", "plate", "plate number",
           "vehicle registration", "registration plate", "kfz kennzeichen", "kennzeichen",
           "kenteken", "plaque d immatriculation", "immatriculation", "matricula"),
    fits=is_plate, examples=("B-AB 1234", "12-ABC-3", "ABC 1234"),
    counterexamples=("yes", "12345", "ABC"),
)  # fmt: skip
MAC = Recognizer(
    "mac", "hardware (MAC) addresses", "things", Role.identifier, Item.DEVICE,
    names=("mac", "mac address", "mac adresse", "bluetooth address", "wifi mac"),
    proof=is_mac,
    examples=("00:1B:44:11:3a:b7", "00-1B-44-11-3A-B7", "001b.4411.3ab7"),
    counterexamples=("00:1B:44:11:3A", "12:30:00", "001B44113AB7"),
    form=r"[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}",
)  # fmt: skip
IMEI = Recognizer(
    "imei", "mobile phone (IMEI) numbers", "things", Role.identifier, Item.DEVICE,
    names=("imei", "imsi", "iccid"), proof=is_imei, chance=0.1,
    examples=("490154203237518", "49-015420-323751-8"),
    counterexamples=("490154203237519", "49015420323751"),
)  # fmt: skip
UDI = Recognizer(
    "udi", "device identifiers (UDI)", "things", Role.identifier, Item.DEVICE,
    names=("udi",), proof=is_udi, chance=0.1,
    examples=("(01)00844588003288(17)141120(10)7654321D",),
    counterexamples=("(01)00844588003289", "00844588003288"),
)  # fmt: skip
DEVICE = Recognizer(
    "device", "device or serial numbers", "things", Role.identifier, Item.DEVICE,
    names=("device id", "device identifier", "device serial", "serial", "serial number",
           "serial no", "serialno", "implant id", "pacemaker", "advertising id", "idfa", "gaid",
           "seriennummer", "geratenummer", "serienummer", "numero de serie", "android id"),
    fits=is_code, examples=("SN-00123",), counterexamples=("phone", "yes"),
)  # fmt: skip

ALL_THINGS = (VIN, PLATE, MAC, IMEI, UDI, DEVICE)


# Any other unique number: made by a computer, or counting the rows.


_UUID = re.compile(r"\{?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?", re.IGNORECASE)
_HASH = re.compile(
    r"(?=.*[a-f])(?=.*\d)([0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{128})"
)
_WALLET = re.compile(r"0x[0-9a-fA-F]{40}|bc1[0-9a-z]{39,59}")


def is_uuid(value: str) -> bool:
    """A universally unique identifier."""
    return _UUID.fullmatch(value) is not None


def is_hash(value: str) -> bool:
    """The digest of something; the same person has the same one everywhere."""
    return _HASH.fullmatch(value.lower()) is not None or _WALLET.fullmatch(value) is not None


UUID = Recognizer(
    "uuid", "computer-made unique numbers (UUID)", "codes", Role.identifier, Item.OTHER,
    names=("uuid", "guid"), proof=is_uuid,
    examples=("123e4567-e89b-12d3-a456-426614174000", "{123E4567-E89B-12D3-A456-426614174000}"),
    counterexamples=("123e4567", "123e4567-e89b-12d3-a456", "yes"),
)  # fmt: skip
HASH = Recognizer(
    "hash", "hashed or encrypted values", "codes", Role.identifier, Item.OTHER,
    names=("hash", "md5", "sha1", "sha256", "pseudonym", "pseudonym id", "token"),
    fits=lambda value: len(value) >= 6, proof=is_hash,
    examples=("d41d8cd98f00b204e9800998ecf8427e",),
    counterexamples=("d41d8cd98f00b204", "12345678901234567890123456789012", "yes"),
)  # fmt: skip
PERSON_ID = Recognizer(
    "id", "numbers given to people", "codes", Role.identifier, Item.OTHER,
    names=("=id", "=uid", "=pid", "person id", "subject id", "participant id", "respondent id",
           "user id", "userid", "employee id", "employee number", "emp id", "emp no",
           "personnel number", "student id", "student number", "household id", "family id",
           "case no", "badge number", "study id", "sample id", "specimen id", "personalnummer",
           "mitarbeiternummer", "probanden id", "matrikelnummer", "personeelsnummer",
           "studentnummer", "deelnemer id", "matricule", "numero de empleado", "unique id",
           "uniqueid", "identifier", "taxpayer id", "claim id", "claim number",
           "barcode"),
    fits=lambda value: " " not in value.strip(),
    examples=("17", "t1", "P-0001"), counterexamples=("not given", "two words"),
)  # fmt: skip
ROW_NUMBER = Recognizer(
    "row number", "row numbers", "codes", Role.identifier, Item.OTHER,
    names=("row number", "row no", "rownum", "row id", "rowid", "=row", "=index", "=unnamed 0",
           "=nr", "=no", "line number", "record id", "sequence number", "zeilennummer", "lfd nr",
           "rijnummer", "volgnummer", "numero de ligne", "numero de fila"),
    fits=str.isdecimal, examples=("1", "250"), counterexamples=("a", "1.5"),
)  # fmt: skip

ALL_CODES = (UUID, HASH, PERSON_ID, ROW_NUMBER)


# Biometric data: photographs, fingerprints, voices.


_PICTURE = re.compile(r".+\.(jpe?g|png|gif|bmp|tiff?|webp|heic|dcm)", re.IGNORECASE)
_LONG = 8


def is_picture(value: str) -> bool:
    """The file name of a picture."""
    return _PICTURE.fullmatch(value) is not None


PHOTO = Recognizer(
    "photo", "photographs", "bodies", Role.identifier, Item.PHOTO,
    names=("photo", "photograph", "picture", "portrait", "selfie", "avatar", "headshot",
           "face image", "image file", "profile picture", "foto", "passfoto", "lichtbild", "bild",
           "pasfoto", "photographie", "fotografia", "retrato"),
    fits=lambda value: is_picture(value) or len(value) >= _LONG, proof=is_picture,
    examples=("IMG_0012.JPG", "scans/face1.png"), counterexamples=("yes", "png", "1"),
)  # fmt: skip
BIOMETRIC = Recognizer(
    "biometric", "biometric data", "bodies", Role.identifier, Item.BIOMETRIC,
    special=Special.BIOMETRICS,
    names=("fingerprint", "finger print", "thumbprint", "retina", "retina scan", "iris scan",
           "iris code", "voiceprint", "voice print", "face id", "face template", "face embedding",
           "biometric", "biometrics", "fingerabdruck", "stimmprobe", "vingerafdruk", "irisscan",
           "empreinte digitale", "huella", "huella dactilar", "dna sequence", "genome"),
    fits=lambda value: len(value) >= _LONG,
    examples=("A9F8E7D6C5B4",), counterexamples=("yes", "1"),
)  # fmt: skip

ALL_BODIES = (PHOTO, BIOMETRIC)


# Free text, in which anything may stand.


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

ALL_NOTES = (NOTES,)
