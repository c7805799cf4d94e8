"""One module per kind of file, which reads and writes it, and one for frames in memory."""
