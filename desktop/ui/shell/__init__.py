"""The main window: composition, docks, dialogs, status bar, session."""
