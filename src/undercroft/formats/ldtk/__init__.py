"""Projects of LDtk."""
