"""Automation: parameters that change over time, by key frames, oscillators, audio, detections and controllers."""
