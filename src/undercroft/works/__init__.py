"""Works: everything that a level is made from, as a document and as a link."""
