"""Religion, politics, trade unions, sexuality and private life."""

from __future__ import annotations

import re

from discreet.kinds.column_name import fold, split_words
from discreet.kinds.recognizer import Recognizer, Special, is_anything
from discreet.table.table import Role

_WORD = re.compile(r"[a-z]+")
_RELIGIONS = split_words(
    """
    christian christians christianity catholic catholics catholicism protestant protestants
    protestantism evangelical methodist baptist lutheran anglican presbyterian episcopalian
    pentecostal mormon adventist muslim muslims moslem islam islamic sunni shia jewish jew judaism
    hindu hindus hinduism buddhist buddhists buddhism sikh sikhs sikhism jain bahai atheist
    atheism agnostic taoist shinto quaker
    christlich christentum katholisch evangelisch protestantisch muslimisch islamisch judisch
    judentum buddhistisch hinduistisch konfessionslos konfessionsfrei atheistisch romkath
    rooms-katholiek hervormd gereformeerd moslim joods catholique musulman juif catolico
    musulmana judio
    """
)
_PARTIES = split_words(
    """
    democrat democrats democratic republican republicans libertarian conservative conservatives
    labour tory tories socialist socialists communist libdem ukip snp
    cdu csu cdu/csu spd afd fdp linke grune gruene bsw npd piraten
    """
)
_ORIENTATIONS = split_words(
    """
    heterosexual homosexual bisexual gay lesbian asexual pansexual queer lgbt lgbtq straight
    gay/lesbian straight/heterosexual heterosexuell homosexuell bisexuell schwul lesbisch
    asexuell pansexuell heteroseksueel homoseksueel biseksueel
    """
)


def is_religion(value: str) -> bool:
    """A few words, one of them for a religion or for those who follow it."""
    words = _WORD.findall(fold(value[:60]))
    return len(words) <= 5 and not _RELIGIONS.isdisjoint(words)


def is_party(value: str) -> bool:
    """A political party of America, Britain or Germany, or one of its followers."""
    words = re.split(r"[\s,()-]+", fold(value[:60]))
    return len(words) <= 4 and not _PARTIES.isdisjoint(words)


def is_orientation(value: str) -> bool:
    """A word for whom somebody loves."""
    words = re.split(r"[\s,()-]+", fold(value[:60]))
    return len(words) <= 4 and not _ORIENTATIONS.isdisjoint(words)


RELIGION = Recognizer(
    "religion", "religions", "secrets", Role.sensitive, special=Special.RELIGION,
    names=("religion", "religious", "religious affiliation", "religious group",
           "religious denomination", "religious belief", "religious beliefs", "religiosity",
           "religiousness", "relig", "reliten", "faith", "denomination", "denom", "church",
           "church attendance", "church member", "church membership", "attend church",
           "religion affiliation", "religion raised", "prayer", "pray", "belief", "beliefs",
           "worldview", "konfession", "religionszugehorigkeit", "religionsgemeinschaft", "glaube",
           "glaubensbekenntnis", "glaubensrichtung", "bekenntnis", "kirche", "kirchenmitglied",
           "kirchenzugehorigkeit", "kirchensteuer", "kirchensteuermerkmal", "kirchgang",
           "kirchgangshaufigkeit", "kirchenbesuch", "weltanschauung", "godsdienst", "geloof",
           "religie", "confession", "sect", "religious services", "religionsunterricht", "taufe",
           "getauft", "baptized", "baptism"),
    compounds=("religions-", "konfessions-", "kirchen-", "glaubens-"),
    vague=("church", "confession", "belief", "beliefs", "kirche", "bekenntnis", "faith", "denom",
           "denomination"),
    fits=is_anything, proof=is_religion, weak=True, share=0.5, least=2,
    examples=("Christian", "Roman Catholic", "evangelisch", "Römisch-katholisch", "Muslim"),
    counterexamples=("Boston", "17", "Christina", "yes"),
)  # fmt: skip
POLITICS = Recognizer(
    "politics", "political opinions", "secrets", Role.sensitive, special=Special.POLITICS,
    names=("political party", "party", "party id", "partyid", "party affiliation",
           "party identification", "party membership", "party preference", "party registration",
           "political affiliation", "political opinion", "political views", "political view",
           "political orientation", "political ideology", "political leaning", "political",
           "politics", "polviews", "ideology", "left right", "left right scale", "vote", "voted",
           "voted for", "vote choice", "vote intention", "voting intention", "voting behavior",
           "voting history", "vote share", "presidential vote", "turnout", "voter turnout",
           "party like", "political interest", "political party registration",
           "immigration attitude", "protest", "petition", "registered party", "partei",
           "parteimitglied", "parteimitgliedschaft", "parteipraferenz", "parteiidentifikation",
           "parteineigung", "wahlabsicht", "wahlentscheidung", "wahlverhalten", "erststimme",
           "zweitstimme", "sonntagsfrage", "links rechts", "links rechts selbsteinstufung",
           "politische einstellung", "politische orientierung", "politische meinung",
           "politisches interesse", "politieke voorkeur", "parti politique", "partido", "approval",
           "presidential approval", "government approval", "trust in government"),
    compounds=("partei-", "wahlabsicht-"),
    vague=("turnout", "protest", "petition", "party", "vote", "voted", "vote share", "left right",
           "political", "links rechts", "ideology", "approval"),
    fits=is_anything, proof=is_party, weak=True, share=0.6, least=2,
    examples=("Democrat", "Strong Republican", "CDU", "Grüne", "CDU/CSU"),
    counterexamples=("Boston", "yes", "17", "independent", "green"),
)  # fmt: skip
UNION = Recognizer(
    "union membership", "membership of a trade union", "secrets", Role.sensitive,
    special=Special.UNION,
    names=("union", "union member", "union membership", "union status", "unionized", "unionised",
           "trade union", "trade union member", "trade union membership", "labor union",
           "labor union member", "labour union", "member of a labor union", "unionmme",
           "works council", "gewerkschaft", "gewerkschaftsmitglied", "gewerkschaftsmitgliedschaft",
           "gewerkschaftszugehorigkeit", "betriebsrat", "vakbond", "syndicat", "sindicato"),
    compounds=("gewerkschafts-", "-gewerkschaft"),
    vague=("union",),
)  # fmt: skip
SEXUALITY = Recognizer(
    "sexuality", "sexual orientation and sex life", "secrets", Role.sensitive,
    special=Special.SEX_LIFE,
    coded=r"sx[qd]\d{3}[a-z]?",
    names=("sexual orientation", "orientation", "sexuality", "sexual identity", "sexual activity",
           "sexually active", "sexual partners", "number of sexual partners", "sex partners",
           "num sexual partners", "first sexual intercourse", "sexual behavior", "sexual behaviour",
           "same sex", "lgbt", "lgbtq", "lgbtqia", "gay", "lesbian", "homosexual", "transgender",
           "trans", "trans status", "contraception", "contraceptive", "contraceptives",
           "hormonal contraceptives", "birth control", "iud", "sexuelle orientierung",
           "sexuelle identitat", "sexualitat", "sexualpartner", "verhutung", "verhutungsmittel",
           "transgeschlechtlich", "transident", "seksuele geaardheid", "orientation sexuelle",
           "orientacion sexual"),
    compounds=("sexual-", "verhutungs-"),
    vague=("orientation", "trans", "contraceptive"),
    fits=is_anything, proof=is_orientation, weak=True, share=0.5, least=2,
    examples=("heterosexual", "Gay/Lesbian", "bisexuell", "Straight or heterosexual"),
    counterexamples=("male", "yes", "17", "landscape"),
)  # fmt: skip
HABITS = Recognizer(
    "private life", "private life", "secrets", Role.sensitive,
    coded=r"(alq|smq|duq)\d{3}[a-z]?|(cig|alc|mj|coc|crk|her|hallu|inh|meth)(ever|rec|yr|mon|flag|ydays)",
    names=("drinking", "drinker", "alcohol", "alcohol use", "alcohol intake", "alcohol consumption",
           "alcohol abuse", "alcoholism", "alco", "hvy alcohol consump", "heavy drinker", "drinks",
           "drinks per day", "drinks per week", "binge", "binge drinking", "beer", "alcoholic",
           "alcohol units", "dalc", "walc", "smoking", "smoking status", "smoking history",
           "smoker", "smoke", "smokes", "smoked", "current smoker", "ever smoked", "cigs per day",
           "cigarettes", "cigarettes per day", "cigs", "zigaretten", "zigarettenkonsum",
           "pack years", "tobacco", "tobacco use", "vaping", "drug use", "drug abuse",
           "substance use", "substance abuse", "cannabis", "marijuana", "cocaine", "heroin",
           "opioid use", "overdose", "abuse", "child abuse", "neglect", "suicide", "suicidal",
           "suicide attempt", "self harm", "romantic", "dating", "affair", "divorce reason",
           "raucher", "raucht", "rauchen", "raucherstatus", "rauchverhalten", "alkohol",
           "alkoholkonsum", "alkoholmissbrauch", "drogen", "drogenkonsum", "drogenmissbrauch",
           "suizid", "suizidversuch", "selbstverletzung", "gewalterfahrung", "missbrauch", "roker",
           "fumeur", "fumador", "drink", "drunk", "drunkard", "trinkt", "trinkverhalten",
           "homeless", "homelessness", "unhoused", "obdachlos", "wohnungslos"),
    compounds=("raucher-", "alkohol-", "drogen-", "suizid-", "-missbrauch", "-konsum"),
    vague=("drinks", "beer", "binge", "alcohol", "alco", "drinking", "smoke", "neglect", "abuse",
           "romantic", "alkohol", "alkohol-", "-missbrauch", "-konsum", "missbrauch", "affair",
           "smoked", "tobacco", "cannabis", "tobacco use", "cigarettes", "drink"),
)  # fmt: skip

ALL = (RELIGION, POLITICS, UNION, SEXUALITY, HABITS)
