"""What the trainings share."""
