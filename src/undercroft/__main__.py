"""`python -m undercroft`."""

from undercroft_main import main

if __name__ == "__main__":
    main()
