"""In: relative addresses. Out: the same absolute ones as the standard library's, by the short way and by the long."""

from __future__ import annotations

import random
from urllib.parse import urljoin

import pytest

from pincite.extract import html

PARTS = ["..", ".", "a", "b.html", "c-d", "#x", "", "e..f", "~g", "%20"]


@pytest.mark.parametrize(
    "base", ["https://e.org/", "https://e.org/a", "https://e.org/a/b/c.html", "https://e.org/a//b/", "https://e.org/a/./b/"]
)
@pytest.mark.parametrize("seed", range(5))
def test_relative_address_resolves_as_by_the_standard_library(base: str, seed: int) -> None:
    chance, absolute = random.Random(seed), html._resolver(base)
    for _ in range(400):
        href = "/".join(chance.choice(PARTS) for _ in range(chance.randint(1, 5)))
        if href and not href.startswith("//"):
            assert absolute(href) == urljoin(base, href), (base, href)
