"""The matching engine: texts become tokens, and all templates match them in one pass."""
