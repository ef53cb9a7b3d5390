"""Modules that the trainings share."""
