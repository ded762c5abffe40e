"""Explain why a rule matches or not, and report which rules are used."""
