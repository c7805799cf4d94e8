"""The policy as data: keys and what they hold, files, problems, recipients and levels."""
