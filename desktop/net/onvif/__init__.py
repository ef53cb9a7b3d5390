"""ONVIF cameras: discovery in the local network (WS-Discovery 1.0), and the addresses of their streams."""
