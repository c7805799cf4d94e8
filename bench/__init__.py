"""How fast and how lean discreet is: ``make bench``, or ``python -m bench [name ...]``.

Each case runs in a process of its own, so that its peak of memory is its own. No case asserts a
time: the figures are for people to compare, next to a peer or a lower bound of the same run.
"""
