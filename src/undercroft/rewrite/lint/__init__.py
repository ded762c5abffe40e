"""What can be known of rules without running them."""
