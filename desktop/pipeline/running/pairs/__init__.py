"""Two networks in sequence: a detector and a network for its crops, or an encoder and a prompted decoder."""
