"""The garbage collector, paused while one page is read.

In: nothing. Out: a context. A page's tree is some ten thousand objects that all live until its end; counting them over and over costs a
quarter of the time and frees nothing.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused() -> Iterator[None]:
    """Pause the collector where it is on; threads that overlap may find it on, which costs time only."""
    running = gc.isenabled()
    if running:
        gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()
