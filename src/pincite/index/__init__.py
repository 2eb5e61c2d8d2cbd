"""Room: index."""
