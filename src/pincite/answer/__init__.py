"""Room: answer."""
