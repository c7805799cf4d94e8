"""What people would not want to be known: the sensitive columns, one file per family.

The families follow articles 9 and 10 of the GDPR, and add what offices treat in the same way:
money, school results, private life.
"""

from __future__ import annotations

from discreet.kinds.secrets import beliefs, illness, justice, money, results

ALL = (*illness.ALL, *results.ALL, *money.ALL, *justice.ALL, *beliefs.ALL)
