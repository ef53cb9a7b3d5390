"""Networks and their results: models, backends, tasks, tracking, diffusion."""
