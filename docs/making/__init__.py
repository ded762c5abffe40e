"""How the documentation is made: what the blocks of a page print, the reference pages, and the pictures."""
