"""The preferences page, built from the definitions of the settings."""
