"""What an HTTP answer means for the coverage report. No I/O.

In: answers and errors. Out: reasons, waits, flags.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from pincite.crawl.frontier import MAX_HOLD_S
from pincite.errors import PinciteError
from pincite.types import Fetched

PASSING = frozenset({429, 500, 502, 503, 504})
"""Statuses that may be different the next time."""
RULED_OUT = frozenset({"robots", "scope", "scheme"})
"""Rules by which a page is left out, not failed."""
_REASONS = {"address": "blocked address", "scheme": "blocked address", "redirects": "redirect loop", "redirect": "insecure redirect"}
_META = re.compile(rb"<meta\b[^<>]*\bname\s*=\s*[\"']?(?:robots|pincite)\b[^<>]*>", re.I)
_WORDS = re.compile(rb"noindex|noarchive|nosnippet|none", re.I)
_CHALLENGE_MARKS = (
    b"/cdn-cgi/challenge-platform/",
    b"cf-browser-verification",
    b"_cf_chl_opt",
    b"ddos-guard/js-challenge",
    b"/_Incapsula_Resource",
    b"captcha-delivery.com",
    b"px-captcha",
    b"awswaf.com",
)
_CHALLENGE_TITLE = re.compile(
    rb"<title\b[^<>]*>\s{0,200}(?:just a moment|attention required|checking your browser|verify(?:ing)? (?:that )?you are (?:a )?human"
    rb"|are you a robot|ddos-guard"
    rb"|please wait\.\.\. \| cloudflare|access denied|pardon our interruption|making sure you(?:'|&#39;)re not a bot)",
    re.I,
)
CHALLENGE_BYTES = 64 * 1024


def reason(error: PinciteError) -> str:
    """Return the coverage reason of an error."""
    rule = error.rule or "unreadable"
    return _REASONS.get(rule, rule)


def retry_after_s(answer: Fetched, now: datetime) -> float | None:
    """Return how long the server asks to wait, in seconds, never negative (RFC 9110 §10.2.3)."""
    value = answer.header("retry-after").strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        until = parsedate_to_datetime(value)
    except (ValueError, TypeError):
        return None
    return max(0.0, ((until if until.tzinfo else until.replace(tzinfo=UTC)) - now).total_seconds())


def is_bearable(wait_s: float | None) -> bool:
    """Say whether a crawl sits out such a wait."""
    return wait_s is None or wait_s <= MAX_HOLD_S


def robots_flags(answer: Fetched) -> tuple[str, ...]:
    """Return `noindex`, `noarchive`, `nosnippet` as said in X-Robots-Tag or a meta tag: recorded, for a local index is no search engine."""
    said = b",".join(v.encode("latin-1", "replace") for k, v in answer.headers if k.lower() == "x-robots-tag")
    said += b",".join(_META.findall(answer.body[:CHALLENGE_BYTES]))
    found = {word.decode().lower() for word in _WORDS.findall(said)}
    if "none" in found:
        found = (found - {"none"}) | {"noindex"}
    return tuple(sorted(found))


def is_challenge(answer: Fetched) -> bool:
    """Say whether a page asks its reader to prove to be human instead of showing what was asked for."""
    if len(answer.body) > 4 * CHALLENGE_BYTES:
        return False
    if answer.header("cf-mitigated").lower() == "challenge" or answer.header("x-amzn-waf-action").lower() in ("challenge", "captcha"):
        return True
    head = answer.body[:CHALLENGE_BYTES]
    marked = any(mark in head for mark in _CHALLENGE_MARKS)
    return (marked and answer.status in (200, 202, 403, 429, 503)) and _CHALLENGE_TITLE.search(head) is not None
