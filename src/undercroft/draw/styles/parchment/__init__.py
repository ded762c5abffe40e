"""The style `parchment`: sepia on old paper."""
