"""Room: chunk."""
