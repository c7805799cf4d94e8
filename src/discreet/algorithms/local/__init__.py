"""Local recoding: every class is released at levels of its own."""
