"""Where released rows go: one module a kind of file.

Each has a frozen class with two verbs: `select` says in SQL what is stored of each row, `save` puts
the stored batches into a file.
"""
