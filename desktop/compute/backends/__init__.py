"""What computes a network, one file each."""
