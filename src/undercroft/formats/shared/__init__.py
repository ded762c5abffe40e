"""What several formats need: checked values, guarded JSON, role names, files beside a file."""
