"""What a picture is made of: shapes, colours, letters, and the files they are written to."""
