"""The style `plain`: flat squares."""
