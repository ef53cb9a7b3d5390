"""Networks whose output is an image: style, depth, super-resolution, in tiles where needed."""
