"""The shell's actions, one file per menu, each with MENUS and ACTIONS; those of a feature are in its package."""
