"""Stages in order, networks in front of them included."""
