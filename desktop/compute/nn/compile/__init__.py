"""One-time compilation of a network: shapes, memory estimate, FLOPs, the cache of prepared networks."""
