"""Where a person lives, works or comes from."""

from __future__ import annotations

import re

from discreet.kinds.column_name import fold, split_words
from discreet.kinds.recognizer import Item, Recognizer
from discreet.table.table import Role

# The countries of the world by their English names, folded to lower case without accents.


COUNTRIES = frozenset(
    name.strip()
    for name in """
    afghanistan, albania, algeria, andorra, angola, argentina, armenia, australia, austria,
    azerbaijan, bahamas, bahrain, bangladesh, barbados, belarus, belgium, belize, benin, bhutan,
    bolivia, bosnia and herzegovina, botswana, brazil, brunei, bulgaria, burkina faso, burundi,
    cabo verde, cape verde, cambodia, cameroon, canada, central african republic, chad, chile,
    china, colombia, columbia, comoros, congo, costa rica, cote d'ivoire, ivory coast, croatia,
    cuba, cyprus, czech republic, czechia, denmark, djibouti, dominica, dominican republic, ecuador,
    egypt, el salvador, england, equatorial guinea, eritrea, estonia, eswatini, ethiopia, fiji,
    finland, france, gabon, gambia, georgia, germany, ghana, great britain, greece, grenada,
    guatemala, guinea, guinea bissau, guyana, haiti, honduras, hong kong, hong, hungary, iceland,
    india, indonesia, iran, iraq, ireland, israel, italy, jamaica, japan, jordan, kazakhstan, kenya,
    kiribati, korea, kosovo, kuwait, kyrgyzstan, laos, latvia, lebanon, lesotho, liberia, libya,
    liechtenstein, lithuania, luxembourg, macedonia, madagascar, malawi, malaysia, maldives, mali,
    malta, mauritania, mauritius, mexico, moldova, monaco, mongolia, montenegro, morocco,
    mozambique, myanmar, burma, namibia, nauru, nepal, netherlands, the netherlands,
    holand netherlands, holland, new zealand, nicaragua, niger, nigeria, north korea,
    north macedonia, northern ireland, norway, oman, pakistan, palau, palestine, panama,
    papua new guinea, paraguay, peru, philippines, poland, portugal, puerto rico, qatar, romania,
    russia, russian federation, rwanda, samoa, san marino, saudi arabia, scotland, senegal, serbia,
    seychelles, sierra leone, singapore, slovakia, slovenia, solomon islands, somalia,
    south africa, south korea, south sudan, spain, sri lanka, sudan, suriname, swaziland, sweden,
    switzerland, syria, taiwan, tajikistan, tanzania, thailand, timor leste, togo, tonga,
    trinidad and tobago, tunisia, turkey, turkiye, turkmenistan, tuvalu, uganda, ukraine,
    united arab emirates, united kingdom, uk, united states, united states of america, usa, us,
    uruguay, uzbekistan, vanuatu, vatican city, venezuela, vietnam, viet nam, wales, yemen,
    yugoslavia, zambia, zimbabwe
    """.replace("\n", " ").split(",")
)

STATE_CODES = split_words(
    """
    AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM
    NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC AS GU MP PR VI AA AE AP
    """
)
_STATE_NAMES = frozenset(
    name.strip()
    for name in """
    alabama, alaska, arizona, arkansas, california, colorado, connecticut, delaware, florida,
    georgia, hawaii, idaho, illinois, indiana, iowa, kansas, kentucky, louisiana, maine, maryland,
    massachusetts, michigan, minnesota, mississippi, missouri, montana, nebraska, nevada,
    new hampshire, new jersey, new mexico, new york, north carolina, north dakota, ohio, oklahoma,
    oregon, pennsylvania, rhode island, south carolina, south dakota, tennessee, texas, utah,
    vermont, virginia, washington, west virginia, wisconsin, wyoming, district of columbia,
    puerto rico, guam, american samoa, virgin islands, northern mariana islands, northeast, midwest,
    south, west, north, east
    """.replace("\n", " ").split(",")
)
LARGE_PLACES = frozenset(map(str.lower, STATE_CODES)) | _STATE_NAMES | COUNTRIES
"""Places that are not smaller than a state, in lower case: rule (B) is not about them."""
FACILITY_NAMES = (
    "hospital", "clinic", "facility", "school", "ziekenhuis", "krankenhaus", "hopital", "location",
    "employer", "company", "arbeitgeber", "werkgever", "employeur", "empleador",
)  # fmt: skip
"""Names of columns whose values may name a place or an employer, or only a kind of them."""

_ADDRESS = re.compile(
    r"\d+[a-z]?,? .*\b(street|st|avenue|ave|road|rd|boulevard|blvd|lane|ln|drive|dr|court|ct|way"
    r"|place|pl|square|sq|terrace|highway|hwy|parkway|pkwy)\b.*"
    r"|\d+[a-z]?,? (bis |ter )?(rue|avenue|boulevard|place|chemin|impasse|allee|quai|route)\b.+"
    r"|.*(strasse|str\.?|straat|gracht|laan|plein|kade|dijk|weg|gasse|allee|platz|ring|ufer|damm)"
    r" \d+ ?[a-z]?([ ,-].*)?"
    r"|(calle|avenida|avda\.?|c/|plaza|paseo|camino) .+ \d+.*"
    r"|p\.? ?o\.? box \d+.*|postfach \d+.*|postbus \d+.*"
)
_POSTCODE = re.compile(
    r"[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}"  # United Kingdom
    r"|[A-CEGHJ-NPR-TVXY]\d[A-Z] ?\d[A-Z]\d"  # Canada
    r"|[1-9]\d{3} [A-Z]{2}"  # Netherlands
    r"|(D|A|F|E|CH|B|NL|L)-\d{4,5}"  # with the country's letter
    r"|\d{5}-\d{4}"  # United States, ZIP+4
)
_POSTCODE_LIKE = re.compile(r"([A-Z]{1,2}-)?\d[\d*]{2,4}([ -]?(\d{4}|[A-Z]{2}|\d{3}))?|\d{2}-\d{3}")
_POINT = re.compile(r"\(?-?\d{1,2}\.\d{3,}[,; ]\s*-?\d{1,3}\.\d{3,}\)?")
_WORDS = re.compile(r"[^\d@]{1,60}")
_DECIMAL = re.compile(r"-?\d{1,3}([.,]\d+)?")


def is_address(value: str) -> bool:
    """A house number with a street, in the order of five languages."""
    return _ADDRESS.fullmatch(fold(value)) is not None


def is_postcode(value: str) -> bool:
    """A postal code that nothing else looks like."""
    return _POSTCODE.fullmatch(value.upper()) is not None


def may_be_postcode(value: str) -> bool:
    """Four or five digits, or one of the forms with letters."""
    return is_postcode(value) or _POSTCODE_LIKE.fullmatch(value.upper()) is not None


def is_state(value: str) -> bool:
    """The two letters of one of the United States."""
    return value in STATE_CODES


def is_country(value: str) -> bool:
    """A country by its English name."""
    return re.sub(r"[-_. ]+", " ", fold(value)).strip() in COUNTRIES


def _is_wording(value: str) -> bool:
    return _WORDS.fullmatch(value) is not None


ADDRESS = Recognizer(
    "address", "street addresses", "places", Role.identifier, Item.PLACES,
    names=("address", "addr", "street", "street address", "home address", "mailing address",
           "address line", "street name", "house number", "house no", "apartment", "po box",
           "adresse", "anschrift", "strasse", "str", "hausnummer", "hausnr", "wohnadresse",
           "adres", "straat", "straatnaam", "huisnummer", "huisnr", "woonadres", "rue",
           "numero de rue", "direccion", "calle", "domicilio"),
    proof=is_address, fits=lambda value: len(value) <= 120,
    examples=("12 Main Street", "12b Elm Ave, Springfield", "Hauptstraße 5", "Kerkstraat 12 a",
              "15 rue de la Paix", "Calle Mayor 3", "P.O. Box 12"),
    counterexamples=("Main Street", "12345", "Private", "12 eggs", "grade 5", "02138"),
)  # fmt: skip
POSTCODE = Recognizer(
    "postal code", "postal codes", "places", Role.quasi, Item.PLACES,
    names=("zip", "zip code", "zip5", "zip 3", "zip plus 4", "postal code", "postcode", "post code",
           "plz", "postleitzahl", "code postal", "cp", "codigo postal", "postal"),
    fits=may_be_postcode, proof=is_postcode,
    examples=("SW1A 1AA", "K1A 0B1", "1012 AB", "02138-1234", "D-10115"),
    counterexamples=("02138", "1012", "AB12", "A10.9", "2020-01-31"),
    safe_harbor_names=("zcta", "zip3", "zip4", "zip9"), form=r"\d{5}-\d{4}",
)  # fmt: skip
CITY = Recognizer(
    "city", "cities or smaller places", "places", Role.quasi, Item.PLACES,
    names=("city", "town", "municipality", "village", "county", "district", "borough", "parish",
           "precinct", "neighborhood", "neighbourhood", "census tract", "census block", "tract",
           "fips", "birthplace", "birth place", "place of birth", "residence", "place of residence",
           "stadt", "ort", "ortsteil", "stadtteil", "wohnort", "gemeinde", "kreis", "landkreis",
           "bezirk", "geburtsort", "plaats", "woonplaats", "gemeente", "wijk", "buurt",
           "geboorteplaats", "ville", "commune", "departement", "lieu de naissance", "ciudad",
           "municipio", "localidad", "lugar de nacimiento", "hospital", "hospital name", "clinic",
           "facility", "school", "ziekenhuis", "krankenhaus", "hopital", "location"),
    safe_harbor_names=("geoid", "geocode", "cbsa", "msa", "puma", "ward", "block group", "hrr",
                       "hsa"),
)  # fmt: skip
POINT = Recognizer(
    "coordinates", "points on the map", "places", Role.identifier, Item.PLACES,
    names=("coordinates", "geo point", "lat lon", "lat long", "latlng", "gps", "geolocation"),
    proof=lambda value: _POINT.fullmatch(value) is not None,
    examples=("42.3736, -71.1097", "(52.3702 4.8952)"),
    counterexamples=("1,5", "42.3736", "10.5 11"),
)  # fmt: skip
COORDINATE = Recognizer(
    "coordinate", "degrees of latitude or longitude", "places", Role.quasi, Item.PLACES,
    names=("lat", "latitude", "lon", "lng", "longitude", "breitengrad", "langengrad",
           "breedtegraad", "lengtegraad", "latitud", "longitud"),
    fits=lambda value: _DECIMAL.fullmatch(value) is not None,
    examples=("42.3736", "-71"), counterexamples=("high", "1234"),
)  # fmt: skip
STATE = Recognizer(
    "state", "states or regions", "places", Role.quasi,
    names=("state", "us state", "state code", "state of residence", "province", "region",
           "bundesland", "kanton", "provincie", "regio", "etat", "provincia", "comunidad autonoma"),
    fits=_is_wording, proof=is_state, weak=True, share=0.95, least=5,
    examples=("CA", "MA"), counterexamples=("ca", "XX", "California", "17"),
)  # fmt: skip
COUNTRY = Recognizer(
    "country", "countries", "places", Role.quasi,
    names=("country", "native country", "country of birth", "country code", "nationality",
           "citizenship", "citizen", "country of origin", "land", "geburtsland", "herkunftsland",
           "nationalitat", "nationalitaet", "staatsangehorigkeit", "staatsangehoerigkeit",
           "geboorteland", "herkomst", "nationaliteit", "pays", "pays de naissance", "nationalite",
           "pais", "pais de nacimiento", "nacionalidad"),
    fits=_is_wording, proof=is_country, weak=True, share=0.7, least=3,
    examples=("United-States", "Germany", "south korea"), counterexamples=("DE", "Boston", "White"),
)  # fmt: skip

ALL = (ADDRESS, POSTCODE, CITY, POINT, COORDINATE, STATE, COUNTRY)
