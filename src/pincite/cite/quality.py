"""How much a citation is worth: its age, the weight of its domain, the length of its page, what became of it since.

In: a citation, the present moment, weights of domains. Out: the citation with a score from 0 to 1 and the parts that make it. Whether the
quote holds is another question: `verification`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

from pincite.errors import UsageError
from pincite.types import Citation

Weights = Sequence[tuple[str, float]]
HALF_LIFE_DAYS: Final = 365.0
"""Days after which a page that was not seen again counts half."""
FULL_LENGTH: Final = 500
"""Characters of a page's text from which its length counts whole."""
UNKNOWN_DOMAIN: Final = 0.5
SHARES: Final = MappingProxyType({"age": 0.3, "domain": 0.2, "length": 0.2, "drift": 0.3})
_DRIFT: Final = MappingProxyType(
    {"same": 1.0, "moved": 0.9, "redirected": 0.8, "unchecked": 0.7, "unreachable": 0.6, "blocked": 0.6, "edited": 0.4}
)
_MARKED: Final = MappingProxyType({"expired": 0.0, "needs_update": 0.4})


def graded(citation: Citation, now: datetime, weights: Weights = ()) -> Citation:
    """Return the citation with its score, the mean of its parts weighted by `SHARES`."""
    capture = citation.capture
    days = max(0.0, (now - (capture.checked_at or capture.fetched_at)).total_seconds() / 86400)
    parts = (
        ("age", 0.5 ** (days / HALF_LIFE_DAYS)),
        ("domain", _domain(capture.final_url or capture.url, weights)),
        ("length", min(1.0, citation.page_chars / FULL_LENGTH)),
        ("drift", min(_DRIFT.get(citation.drift, 0.0), _MARKED.get(capture.mark, 1.0))),
    )
    score = sum(SHARES[name] * value for name, value in parts)
    return replace(citation, quality=round(score, 3), quality_parts=tuple((name, round(value, 3)) for name, value in parts))


def weights_of(settings: Sequence[str]) -> tuple[tuple[str, float], ...]:
    """Return the weights that `docs.example.org=0.9` lines name. Raises UsageError for one that is no domain with a number from 0 to 1."""
    found = []
    for line in settings:
        domain, _, number = line.rpartition("=")
        try:
            weight = float(number)
        except ValueError:
            weight = -1.0
        if not domain.strip() or not 0 <= weight <= 1:
            raise UsageError(f"domain_weights: {line!r} is no domain with a weight from 0 to 1, such as docs.example.org=0.9.")
        found.append((domain.strip().lower().lstrip("."), weight))
    return tuple(found)


def _domain(url: str, weights: Weights) -> float:
    """Return the weight of the longest domain that the host is or lies under."""
    host = (urlsplit(url).hostname or "").lower()
    fits = [(len(domain), weight) for domain, weight in weights if host == domain or host.endswith("." + domain)]
    return max(fits)[1] if fits else UNKNOWN_DOMAIN
