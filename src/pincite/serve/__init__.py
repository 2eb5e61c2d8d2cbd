"""Room: serve."""
