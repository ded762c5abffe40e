"""Steps that compute facts. They change no tile but those of stairs."""
