"""The command line: main, shared options, output, then one file a command."""
