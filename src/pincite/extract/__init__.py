"""Room: extract. Snapshots become documents: canonical text with its sections and blocks.

In: a snapshot's bytes and what the transport said of them. Out: a `Document`, or a SourceError that says why there is no text.
"""
