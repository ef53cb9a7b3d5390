"""The shell's actions: a file per menu, with MENUS and ACTIONS. Features have their own."""
