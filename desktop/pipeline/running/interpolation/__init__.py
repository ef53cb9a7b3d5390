"""Networks that compute frames between two others."""
