"""Steps that find facts and change no tile."""
