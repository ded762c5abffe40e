"""The style `ink`: a pen on paper."""
