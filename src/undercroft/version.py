"""The version, for the package and for the levels it makes."""

VERSION = "0.1.0"
