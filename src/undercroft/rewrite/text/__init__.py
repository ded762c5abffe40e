"""The `.rules` language: text into programs and back."""
