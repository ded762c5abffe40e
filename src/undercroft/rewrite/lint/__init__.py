"""Static checks of rules, without running them."""
