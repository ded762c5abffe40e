"""What commands do with whole dungeons."""
