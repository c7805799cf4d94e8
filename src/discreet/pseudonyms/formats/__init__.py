"""What pseudonyms look like, one kind of identifier a file."""
