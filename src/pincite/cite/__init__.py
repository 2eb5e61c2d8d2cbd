"""Room: cite."""
