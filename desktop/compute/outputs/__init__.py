"""Where finished pictures go, one file each."""
