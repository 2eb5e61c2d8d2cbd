"""Room: adapters."""
