"""Room: integrations."""
