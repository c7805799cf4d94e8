"""Pseudonyms: made-up identifiers that a key decides, the same in all tables and releases.

Import from the modules, such as `discreet.pseudonyms.one_way`. Nothing is imported here, so that
asking for a key does not load Arrow.
"""
