"""Sources of automation, one file each, which defines SOURCE."""
