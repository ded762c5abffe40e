"""Why a rule fires or not, and which rules ever do."""
