"""What automations follow: the audio of the video, MIDI devices, OSC messages."""
