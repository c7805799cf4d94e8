"""Where rows stay in a database or cluster: counted, recoded, written and checked there."""
