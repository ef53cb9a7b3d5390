"""What is done once for a network: shapes, memory estimate, FLOPs, the cache of prepared networks."""
