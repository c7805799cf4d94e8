"""Where names come from: common ones, foreign ones, made-up ones, and words that are names too."""

from __future__ import annotations

from random import Random

from tests.scrubbing.corpus.listed import listed

COMMON_FIRST = listed("""
Margaret Thomas Linda Karen Daniel Susan Kevin Barbara Steven Nancy Jason Dorothy
Gregory Helen Joshua Sandra Patrick Carol Dennis Ruth Walter Sharon Peter Michelle Harold Laura
Douglas Sarah Henry Kimberly Carl Deborah Arthur Jessica Ryan Shirley Roger Cynthia Jack Angela
Albert Melissa Jonathan Brenda Justin Amy Terry Anna Gerald Rebecca Keith Virginia Samuel Kathleen
Ralph Pamela Lawrence Martha Nicholas Debra Roy Amanda Benjamin Stephanie Bruce Carolyn Brandon
Christine Adam Marie Harry Janet Fred Catherine Wayne Frances Billy Ann Steve Joyce Louis Diane
Jeremy Alice Aaron Julie Randy Heather Howard Teresa Eugene Doris Carlos Gloria Russell Evelyn
Emma Olivia Liam Noah Ava Mia Ethan Lucas Zoe Chloe Oscar Poppy Alfie Freya Harriet Imogen Callum
Gareth Nigel Fiona Hamish""")
COMMON_LAST = listed("""
Miller Wilson Moore Taylor Anderson Jackson Harris Martin Thompson Garcia Martinez
Robinson Clark Rodriguez Lewis Lee Walker Hall Allen Hernandez Wright Lopez Scott Adams Baker
Gonzalez Nelson Carter Mitchell Perez Roberts Turner Phillips Campbell Parker Evans Edwards Collins
Stewart Sanchez Morris Rogers Reed Cook Morgan Bell Murphy Bailey Rivera Cooper Richardson Cox
Howard Ward Torres Peterson Gray Ramirez James Watson Brooks Kelly Sanders Bennett Wood Barnes Ross
Henderson Coleman Jenkins Perry Powell Patterson Hughes Flores Washington Butler Simmons Foster
Bryant Alexander Griffin Diaz Hayes Townsend Ellsworth Whitcombe Pemberton Ashworth Blenkinsop
Hargreaves Thistlethwaite Ogilvie MacAllister O'Connor O'Malley D'Angelo""")
FOREIGN_FIRST = listed("""
Oluwaseun Chinonso Thandiwe Kwabena Aminata Yetunde Nkechi Tendai Xiaoling Zhiwei
Haruka Takeshi Minh Thuy Jiwoo Seojun Priyanka Venkatesh Arjun Lakshmi Gurpreet Farzana Zainab
Mustafa Yusra Rania Tariq Svetlana Bogdan Wojciech Agnieszka Ludmila Zdravko Branimir Mirela
Ioana Vasile Eleftheria Giorgos Aino Jukka Sigríður Þorsteinn Åsa Bjørn Søren Niamh Siobhán Caoimhe
Eilidh Rhiannon Llewelyn Jürgen Heike Detlef Friedhelm Saskia Maaike Joost Thijs Ximena Itzel
Joaquín Inés Thiago Conceição Anahit Levan Nino Aizhan Batbayar Leilani Keoni Tāne""")
FOREIGN_LAST = listed("""
Oyelaran Adeyemi-Cole Okonkwo Mwangi Nkosi Diallo Tesfaye Zhang Huang Ouyang
Watanabe Matsubara Nguyen Phạm Kwon Bhattacharya Krishnamurthy Subramaniam Chaudhry Rahmani
Al-Rashid El-Sayed Haddad Petrov Kuznetsova Szczepański Wiśniewska Dvořák Horváth Popescu
Papadimitriou Virtanen Guðmundsdóttir Lindqvist Nørgaard Ó'Súilleabháin NicDhòmhnaill Schönfelder
Müller-Lüdenscheidt Großmann Weißhaupt Vandenberghe Hoogstraten Echeverría Ibáñez Figueiredo
Gonçalves Hakobyan Kvaratskhelia Nurmagambetov Kahananui Tuimavave Quispe Ayllón""")
PARTICLES = ("van der", "de la", "von", "van", "de", "al", "bin", "dos")
WORD_FIRST = listed("""
Will May Grant Rose Mark Bill Hope Faith Joy Dawn Summer Chase Hunter Art Rich Pat
Drew Frank Ray Gene Ivy Lily Daisy Violet Olive Ruby Pearl Amber Crystal Autumn April June Angel
Cliff Dale Glen Heath Rusty Sky Sandy Robin Jay Miles Chance Major Guy""")
WORD_LAST = listed("""
Long Young Banks Field Page Day Rich Grant Price Stone Rivers Waters Winter Frost
Black White Brown Green Short Small Strong Wise Sharp Swift Best Good Love Hope Church Temple Bishop
Pope King Knight Noble Marshall Case Child Bond Cash Penny Bush Rose Hand Foot Head Hart Blood
Lamb Wolf Fox Drake Crane Peacock Major Sergeant Cook Mason Carpenter Driver Porter""")
NICK = listed("""
Dot Bunny Skip Buddy Tootsie Chip Ace Red Scooter Bibi Nan Pip Kiki Mimi Bo Gus Moe Bear
Peaches Sully Mac Dee Jojo Tex Binky Smitty Fitz Zee Trip Cece Lulu Ozzie Beau Teddy Gigi""")
_ONSET = listed("b br c ch d dr f fl g gr h j k kl l m n p pr qu r s sh st t th tr v w y z")
_VOWEL = listed("a e i o u ae ai ea ei ia io oa ou")
_CODA = listed("l n r s t m nd rn lt ck x v sk lm rt th")
_FIRST_END = listed("a elle in on ia ius y ette an or is o")
_LAST_END = listed("son ton well by man ski ford er wick ley stead ovic mere sen field ard ock")


def syllables(rng: Random, count: int) -> str:
    """Sounds that could be part of a name."""
    parts = [
        rng.choice(_ONSET) + rng.choice(_VOWEL) + (rng.choice(_CODA) if rng.random() < 0.5 else "")
        for _ in range(count)
    ]
    return "".join(parts)


def made_first(rng: Random) -> str:
    """A first name that is in no list."""
    return (syllables(rng, 1) + rng.choice(_CODA[:7]) + rng.choice(_FIRST_END)).capitalize()


def made_last(rng: Random) -> str:
    """A last name that is in no list."""
    return (syllables(rng, rng.choice((1, 1, 2))) + rng.choice(_LAST_END)).capitalize()


SOURCES = ("common", "foreign", "made", "word")
WEIGHTS = (50, 20, 20, 10)


def first_name(rng: Random) -> tuple[str, str]:
    """A first name and its source."""
    source = rng.choices(SOURCES, WEIGHTS)[0]
    lists = {"common": COMMON_FIRST, "foreign": FOREIGN_FIRST, "word": WORD_FIRST}
    return (made_first(rng) if source == "made" else rng.choice(lists[source])), source


def last_name(rng: Random) -> tuple[str, str]:
    """A last name and its source."""
    source = rng.choices(SOURCES, WEIGHTS)[0]
    lists = {"common": COMMON_LAST, "foreign": FOREIGN_LAST, "word": WORD_LAST}
    last = made_last(rng) if source == "made" else rng.choice(lists[source])
    if source == "common" and rng.random() < 0.08:
        last = f"{last}-{rng.choice(COMMON_LAST)}"
    elif source == "foreign" and rng.random() < 0.15:
        last, source = f"{rng.choice(PARTICLES)} {last}", "particle"
    return last, source
