"""Room: crawl."""
