"""Room: retrieve."""
