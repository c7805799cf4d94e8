"""The frequency list: distinct quasi-identifier tuples with counts, and the classes of any node."""
