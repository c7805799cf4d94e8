"""Vehicles and devices that belong to one person."""

from __future__ import annotations

import re

from discreet.identify.recognizers.checksums import gs1, luhn, vin
from discreet.identify.recognizers.health import is_code
from discreet.identify.recognizers.recognizer import Item, Recognizer
from discreet.table.role import Role

_VIN = re.compile(r"[A-HJ-NPR-Z\d]{17}")
_MAC = re.compile(
    r"[0-9a-f]{2}([:-])([0-9a-f]{2}\1){4}[0-9a-f]{2}|([0-9a-f]{4}\.){2}[0-9a-f]{4}", re.IGNORECASE
)
_IMEI = re.compile(r"\d{2}[ -]?\d{6}[ -]?\d{6}[ -]?\d")
_UDI = re.compile(r"\(01\)(\d{14})(\(\d{2}\).+)?")
_PLATE = re.compile(r"(?=.*\d)(?=.*[A-ZÄÖÜ])[A-ZÄÖÜ\d]{1,4}([ -]?[A-Z\d]{1,4}){1,3}")


def is_vin(value: str) -> bool:
    """A vehicle identification number, by its check digit."""
    text = value.upper()
    return _VIN.fullmatch(text) is not None and not text.isalpha() and vin(text)


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
    return found is not None and gs1(found[1])


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

ALL = (VIN, PLATE, MAC, IMEI, UDI, DEVICE)
