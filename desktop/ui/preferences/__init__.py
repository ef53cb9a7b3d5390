"""The page of preferences, made of what the settings say of themselves."""
