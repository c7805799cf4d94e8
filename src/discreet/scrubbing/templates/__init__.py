"""The matching engine: texts as tokens, templates over them, all run in one pass."""
