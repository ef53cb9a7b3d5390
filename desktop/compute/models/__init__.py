"""Network files: what is known of them, the catalogue, downloads, and the folder that they are kept in. Without Qt."""
