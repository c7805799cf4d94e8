"""Kinds of documents: how their text is taken out, and put back with nothing else changed."""
