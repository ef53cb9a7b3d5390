"""Labels of images made by hand: values, edits, storage, network proposals and import; no user interface."""
