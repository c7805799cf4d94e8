"""The countries of the world by their English names, folded to lower case without accents."""

from __future__ import annotations

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
