"""The detector of persons and faces."""
