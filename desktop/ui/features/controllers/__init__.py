"""Inputs of automations in the window: the video's audio, MIDI devices and OSC messages."""
