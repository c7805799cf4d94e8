"""``python -m discreet`` is the command ``discreet``."""

from discreet.cli.main import main

if __name__ == "__main__":
    main()
