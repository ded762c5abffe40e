"""What commands do with many levels: with several recipes or files, or with a batch."""
