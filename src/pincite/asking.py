"""How a question and its filters are settled before anything is searched.

In: options as a caller gives them, settings, the library's sources, perhaps a model. Out: settled options, a narrowed query, the questions
in a question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pincite import versions
from pincite.errors import UsageError
from pincite.protocols import Model
from pincite.retrieve import splitting, where
from pincite.settings import Settings
from pincite.types import Query, Source

WAYS = ("rules", "model", "off")
"""How several questions in one are told apart."""
NOBODY = ""
"""A name that no source has."""


def settled(options: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    """Return a search's options with the defaults filled in. Raises UsageError for a number out of range."""
    found = dict(options)
    for name, default in (("max_results", settings.max_results), ("score_ratio", settings.score_ratio)):
        if found.get(name) is None:
            found[name] = default
    if found["max_results"] < 1:
        raise UsageError(f"max_results is {found['max_results']}; it must be at least 1.")
    for share in ("score_ratio", "similarity_threshold"):
        if found.get(share) is not None and not 0 <= found[share] <= 1:
            raise UsageError(f"{share} is {found[share]}; it must lie between 0 and 1.")
    return found


def narrowed(query: Query, held: Sequence[Source]) -> Query:
    """Return the query with the sources that its filter and its range of versions leave. Raises UsageError for what can't be read.

    Where none is left nothing will be found.
    """
    ranged = query.version is not None and versions.is_range(query.version)
    if not ranged and not query.where:
        return query
    test = where.read(query.where) if query.where else None
    if ranged:
        versions.meets("", query.version or "")
    kept = tuple(
        source.slug
        for source in held
        if (not query.sources or source.slug in query.sources)
        and (not ranged or versions.meets(source.version, query.version or ""))
        and (test is None or test(where.Facts(source.slug, source.version)) is not False)
    )
    if not kept:
        return replace(query, sources=(NOBODY,), version=None)
    if len(kept) == len(held) and not query.sources:
        return replace(query, version=None if ranged else query.version)
    return replace(query, sources=kept, version=None if ranged else query.version)


def questions(text: str, settings: Settings, model: Model | None) -> tuple[str, ...]:
    """Return the questions that a text asks, as the setting `split_questions` says. Raises UsageError for a way that there is none of."""
    if settings.split_questions not in WAYS:
        raise UsageError(f"split_questions is `{settings.split_questions}`; it must be one of {', '.join(WAYS)}.")
    if settings.split_questions == "off":
        return (text,)
    if settings.split_questions == "model" and model is not None:
        return splitting.split_by_model(text, model)
    return splitting.split(text)
