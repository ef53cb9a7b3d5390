"""Audio that is played with a video, or followed by effects.

- convert.py: frames of any format as 48 kHz stereo
- reader.py: a file's decoded track, without gaps
- tempo.py: changes of speed at the same pitch
- line.py: which part of the file plays when (speed, loops)
- voice.py: a source's audio: the thread that fills its queue, and the clock that the video follows
- live_voice.py: audio of a live source
- output.py: volume, device, handling of a lost device, listeners for recordings
- microphone.py: audio inputs, for recordings of live sources and automations
- curves.py, live_curves.py: level, bands, onsets and beats over time, of a track and of what is heard
- devices/: one file for each kind of output device
"""
