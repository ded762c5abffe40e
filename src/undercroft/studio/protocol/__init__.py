"""What page and server say to each other, and the project folder both speak of."""
