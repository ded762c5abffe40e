"""Questions about a map: what is connected, how far, which rooms, which way, and numbers about it all."""
