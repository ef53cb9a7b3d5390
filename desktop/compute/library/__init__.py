"""The library of networks: a catalogue of public ones, their downloads, and the folder that they are kept in. Without Qt."""
