"""What all notations of rules compile to: programs, symmetries, guards."""
