"""Room: extract."""
