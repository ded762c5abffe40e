"""The style `dark`: glowing lines on black."""
