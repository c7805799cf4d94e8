"""What a body gives away: photographs, fingerprints, voices."""

from __future__ import annotations

import re

from discreet.identify.recognizers.recognizer import Item, Recognizer
from discreet.table.role import Role

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
    names=("fingerprint", "finger print", "thumbprint", "retina", "retina scan", "iris scan",
           "iris code", "voiceprint", "voice print", "face id", "face template", "face embedding",
           "biometric", "biometrics", "fingerabdruck", "stimmprobe", "vingerafdruk", "irisscan",
           "empreinte digitale", "huella", "huella dactilar", "dna sequence", "genome"),
    fits=lambda value: len(value) >= _LONG,
    examples=("A9F8E7D6C5B4",), counterexamples=("yes", "1"),
)  # fmt: skip

ALL = (PHOTO, BIOMETRIC)
