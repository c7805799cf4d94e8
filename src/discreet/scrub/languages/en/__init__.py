"""English: word lists, templates and what packages know of English words."""
