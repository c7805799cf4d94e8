"""The net: what the product answers today, frozen, so that a rebuilt one can be compared with it.

Each entry is a synthetic table, a policy and some commands (`entries`). Frozen are the facts that
the commands print, in full, and the bytes of the files that they write (`frozen/`). Everything goes
through the command line; the product's own catalogues are read in one place only (`catalogues`).
"""
