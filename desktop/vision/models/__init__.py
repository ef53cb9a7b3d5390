"""Network files: facts about them, the catalogue, downloads, and the folder of downloads. Without Qt."""
