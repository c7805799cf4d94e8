"""Where rows come from: one module a kind of file, and one for frames in memory."""
