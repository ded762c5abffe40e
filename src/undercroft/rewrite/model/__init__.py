"""The model that all notations of rules compile to: programs, symmetries, guards."""
