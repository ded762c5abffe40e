"""Steps that compute facts and change no tile."""
