"""The main window: composition, docks, dialogs, header, session."""
