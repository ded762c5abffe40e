"""The style `print`: pure black for paper."""
