"""Given names and surnames so common that a column full of them can only hold people.

Written by hand for English, German, Dutch, French and Spanish, not taken from a register. Short on
purpose: a column of names is recognized when a fair share of its values is in here, so rare names
need not be.
"""

from __future__ import annotations

_GIVEN = """
    aaron abigail adam adrian alan albert alejandro alex alexander alexandra alfred alice alicia
    amanda amber amy ana andrea andreas andrew angela anita ann anna anne annemarie anouk antoine
    antonio arthur ashley austin barbara beatriz ben benjamin bernard bernd betty beverly birgit
    bjorn bram brandon brenda brian bruce camille carl carla carlos carmen carol carolyn catherine
    charles charlotte cheryl chloe christian christina christine christopher claire clara claudia
    claus cornelis cristina cynthia daan daniel daniela danielle david deborah denise dennis diana
    diane dieter dirk donald donna dorothy douglas dylan edward elena elisabeth elise elizabeth
    ella ellen elke emily emma emmanuel eric erik ethan eugene eva evelyn fatima felix femke
    fernando finn francis francisco francois frank frans franz frederic friedrich gabriel gary
    george gerald gerard gloria grace greg gregory guillaume gunter hanna hannah hans harald harold
    heather heike heinz helen helena helga helmut hendrik henk henri henry herbert horst hugo ines
    ingrid isabel isabella ivan jack jacob jacqueline jacques james jan jane janet janice jason
    javier jean jeffrey jennifer jeremy jeroen jessica jesus joan joao joe johan johanna johannes
    john jonas jonathan jordan jorge jose joseph joshua joyce juan juana judith judy julia julie
    jurgen justin kai karen karin karl katherine kathleen katrin keith kelly kenneth kevin kimberly
    klaas klaus kyle larry lars laura lauren laurent lawrence lea leon lena linda lisa logan lotte
    louis louise luca lucas lucia luis luke lukas madison manfred manuel marco margaret maria marie
    marijke marilyn mark markus marta martha martin mary mathieu matthew matthias max megan melissa
    mia michael michel michelle miguel mohamed mohammed monica monika monique nancy natalie nathan
    nicholas nicolas nicole nils noah nora olaf oliver olivia olivier oscar pablo pamela patricia
    patrick paul paula pedro peter petra philip philippe pierre pieter pilar rachel rafael ralf
    ralph ramon raymond rebecca reiner renate ricardo richard robert roger roland ronald rosa rose
    roy ruth ryan samantha samuel sandra sara sarah scott sean sebastian sem sergio sharon shirley
    silvia simon sofia sophia sophie stefan stephanie stephen steven susan susanne sven teresa
    terry theo theresa thijs thomas tim timothy tobias tom tyler ulrich ursula uwe vera victor
    victoria vincent virginia walter wayne werner willem william wolfgang yves zachary zoe
    """

_SURNAMES = """
    adams allen alonso alvarez anderson andre bailey bakker bauer baker becker bell bennet bernard
    berg bertrand blanc bonnet boer bos bosch braun brooks brouwer brown bruijn butler campbell
    carter castillo castro clark collins cook cooper cox cruz davis dekker delgado diaz dijk
    dominguez dubois dupont durand edwards evans fernandez fischer fisher flores fournier foster
    fuchs garcia garnier gerritsen gil girard gomez gonzales gonzalez gray green griffin groot
    gutierrez hall harris hartmann haan hendriks hernandez hill hoffmann hofmann howard huber
    hughes jackson jacobs james jansen janssen jenkins jimenez johnson jones jong kelly kaiser
    keller king klein koch kok kraus krause kruger lambert lang lange laurent lee leroy lefebvre
    lehmann lewis linden long lopez maier marin martin martinez mayer meer meijer meier mercier
    meyer miller mitchell molina moore morales moreau morel moreno morgan morris muller mulder munoz
    murphy myers navarro nelson neumann nguyen ortega ortiz parker perez perry peters petit peterson
    phillips powell price ramirez ramos reed reyes richard richardson richter rivera roberts robert
    robinson rodriguez rogers romero ross roux rubio ruiz russell sanchez sanders sanz schafer
    schmid schmidt schmitt schmitz schneider schulz schumacher schwarz scott serrano simon smit
    smith stewart suarez sullivan taylor thomas thompson torres turner vasquez vazquez vincent
    visser vos vries wagner walker walter ward watson weber weiss wells werner white williams
    wilson wolf wood wright young zimmermann
    """

GIVEN = frozenset(_GIVEN.split())
SURNAMES = frozenset(_SURNAMES.split())
