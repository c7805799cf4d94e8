"""Detectors: one file each. ``ALL`` is the list the machine runs, in this order."""

from __future__ import annotations

from discreet.scrub.detectors.address_block import ADDRESS_BLOCK
from discreet.scrub.detectors.area import AREA
from discreet.scrub.detectors.browser import BROWSER
from discreet.scrub.detectors.caseless_city import CASELESS_CITY
from discreet.scrub.detectors.caseless_location import CASELESS_LOCATION
from discreet.scrub.detectors.caseless_organization import CASELESS_ORGANIZATION
from discreet.scrub.detectors.caseless_street import CASELESS_STREET
from discreet.scrub.detectors.city import CITY
from discreet.scrub.detectors.context_name import CONTEXT_NAME
from discreet.scrub.detectors.country import COUNTRY
from discreet.scrub.detectors.delimited_format import DELIMITED_FORMAT
from discreet.scrub.detectors.detector import (
    Detector,
    Example,
    Shape,
    ShapeDetector,
    TemplateDetector,
)
from discreet.scrub.detectors.drug import DRUG
from discreet.scrub.detectors.drug_ending import DRUG_ENDING
from discreet.scrub.detectors.email import EMAIL
from discreet.scrub.detectors.employer import EMPLOYER
from discreet.scrub.detectors.eponym import EPONYM
from discreet.scrub.detectors.family_name import FAMILY_NAME
from discreet.scrub.detectors.form_field import FORM_FIELD
from discreet.scrub.detectors.full_name import FULL_NAME
from discreet.scrub.detectors.identification_block import IDENTIFICATION_BLOCK
from discreet.scrub.detectors.institution import INSTITUTION
from discreet.scrub.detectors.ip import COLON_ADDRESS
from discreet.scrub.detectors.joined_street import JOINED_STREET
from discreet.scrub.detectors.location import LOCATION
from discreet.scrub.detectors.mailing_label import MAILING_LABEL
from discreet.scrub.detectors.masked import MASKED
from discreet.scrub.detectors.medical_term import MEDICAL_TERM
from discreet.scrub.detectors.organization import ORGANIZATION
from discreet.scrub.detectors.own_initials import OWN_INITIALS
from discreet.scrub.detectors.password import PASSWORD
from discreet.scrub.detectors.place_phrase import PLACE_PHRASE
from discreet.scrub.detectors.post_code import POST_CODE
from discreet.scrub.detectors.shapes_of_numbers import SHAPES_OF_NUMBERS
from discreet.scrub.detectors.signature import SIGNATURE
from discreet.scrub.detectors.single_name import SINGLE_NAME
from discreet.scrub.detectors.state import STATE
from discreet.scrub.detectors.street import STREET
from discreet.scrub.detectors.street_name import STREET_NAME
from discreet.scrub.detectors.tagged import TAGGED
from discreet.scrub.detectors.team import TEAM
from discreet.scrub.detectors.town_ending import TOWN_ENDING
from discreet.scrub.detectors.url import URL
from discreet.scrub.detectors.username import USERNAME
from discreet.scrub.detectors.uuid import UUID
from discreet.scrub.detectors.verb import VERB
from discreet.scrub.detectors.words_of_numbers import WORDS_OF_NUMBERS
from discreet.scrub.detectors.zip import ZIP

ALL: tuple[Detector, ...] = (
    FULL_NAME,
    CONTEXT_NAME,
    SINGLE_NAME,
    FAMILY_NAME,
    OWN_INITIALS,
    IDENTIFICATION_BLOCK,
    MAILING_LABEL,
    ADDRESS_BLOCK,
    LOCATION,
    STREET,
    STREET_NAME,
    JOINED_STREET,
    ORGANIZATION,
    INSTITUTION,
    TEAM,
    EMPLOYER,
    TOWN_ENDING,
    CASELESS_ORGANIZATION,
    CASELESS_STREET,
    CASELESS_LOCATION,
    CASELESS_CITY,
    CITY,
    PLACE_PHRASE,
    STATE,
    COUNTRY,
    AREA,
    ZIP,
    POST_CODE,
    FORM_FIELD,
    DELIMITED_FORMAT,
    SIGNATURE,
    EPONYM,
    DRUG,
    DRUG_ENDING,
    MEDICAL_TERM,
    VERB,
    EMAIL,
    COLON_ADDRESS,
    PASSWORD,
    URL,
    USERNAME,
    UUID,
    BROWSER,
    MASKED,
    SHAPES_OF_NUMBERS,
    WORDS_OF_NUMBERS,
    TAGGED,
)

__all__ = ["ALL", "Detector", "Example", "Shape", "ShapeDetector", "TemplateDetector"]
