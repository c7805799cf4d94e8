"""The word lists of the made town; no name in them is taken from any register of people."""

from __future__ import annotations


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


WOMEN = _words(
    """
    Ada Alma Bella Cora Dora Edda Elsa Fern Flora Greta Hazel Ida Iris Ivy Jana Juno Kaja Lena
    Lila Mara Mina Nell Nora Olga Opal Petra Rhea Rosa Selma Tess Thea Una Vera Willa Yara Zora
    """
)
MEN = _words(
    """
    Abel Amos Arlo Bram Caleb Cyrus Dario Edgar Emil Ezra Finn Gus Hugo Ivan Jasper Jonas Kai
    Lars Leon Magnus Milo Ned Nils Oscar Otto Pablo Quinn Rafe Rufus Silas Sven Theo Tobias Udo
    Viktor Wim
    """
)
SURNAME_STARTS = _words(
    """
    Al Bar Bel Cor Dal Dor El Far Fen Gar Hal Har Kel Lan Lor Mar Mel Nor Or Pel Quil Ras Sel
    Tal Tor Ul Var Wen Yar Zel
    """
)
SURNAME_MIDDLES = _words(
    """
    a e i o u an den el en er in ma mo ri ro ta ver
    """
)
SURNAME_ENDS = _words(
    """
    bach beck brook by dale field ford gard ham ley lund mer mond ner quist ric son stad ton
    well wick worth
    """
)
STREETS = _words(
    """
    Acorn Alder Apple Ash Aspen Badger Barley Bay Beech Birch Bluebell Bramble Cedar Cherry
    Chestnut Clover Cormorant Cricket Daisy Dove Elder Elm Falcon Fern Finch Foxglove Garnet
    Gull Hawthorn Hazel Heather Heron Holly Ivy Jay Juniper Kestrel Lark Larch Laurel Lilac
    Linden Linnet Magpie Maple Meadow Mill Moss Oak Orchard Otter Owl Pebble Pine Plover Poplar
    Primrose Quail Raven Rowan Rye Sage Sorrel Sparrow Spruce Swallow Thistle Thrush Walnut
    Willow Wren Yarrow
    """
)
STREET_KINDS = ("Street", "Road", "Lane", "Avenue", "Way", "Court", "Place", "Row")
HALLS = ("Amber", "Beacon", "Copper", "Granite", "Harbor", "Lantern", "Meridian", "Summit")
PARTIES = ("none", "Compass", "Orchard", "Anchor")
RACES = ("white", "black", "Asian", "Hispanic", "other")
