"""Audio that is played with a video.

```
convert.py   frames of any kind as 48 kHz stereo
reader.py    a file's track: decoded, without gaps
tempo.py     faster or slower at the same pitch
line.py      which stretch of the file is heard when (speed, loops)
voice.py     a source's audio: a thread that keeps a short queue full, and the clock that the video follows
live_voice.py what a live source says, which waits for nobody
output.py    volume, the device, what to do when it goes; where recordings listen
microphone.py what a recording of a live source may hear
devices/     one file for each way out of the program
```
"""
