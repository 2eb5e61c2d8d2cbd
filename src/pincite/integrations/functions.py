"""Plain typed functions, for frameworks that make tools of functions.

In: a question. Out: text. `functions(store)` gives both bound to one library; the module's own ask the user's library.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from pincite.errors import PinciteError
from pincite.integrations import records
from pincite.integrations.docs_tool import written


def search_docs(query: str, kind: Literal["all", "doc", "code"] = "all", source: str = "", max_results: int = 5) -> str:
    """Find passages of captured documentation and source code, best first, each with its link and REF- code.

    Args:
        query: What to look for: a question or keywords, in any language.
        kind: "doc" for prose, "code" for source code, "all" for both.
        source: Name of one source; empty for all of them.
        max_results: How many passages at most.
    """
    return _search(None, query, kind, source, max_results)


def answer_question(question: str, source: str = "") -> str:
    """Answer a question from captured documentation; every footnote is a quote verified against a snapshot.

    Args:
        question: What to answer, in any language.
        source: Name of one source; empty for all of them.
    """
    return _answer(None, question, source)


def functions(store: str) -> tuple[Callable[..., str], Callable[..., str]]:
    """Return `search_docs` and `answer_question` for the library at a place."""

    def search(query: str, kind: Literal["all", "doc", "code"] = "all", source: str = "", max_results: int = 5) -> str:
        return _search(store, query, kind, source, max_results)

    def answer(question: str, source: str = "") -> str:
        return _answer(store, question, source)

    for made, model in ((search, search_docs), (answer, answer_question)):
        made.__name__, made.__qualname__, made.__doc__ = model.__name__, model.__qualname__, model.__doc__
    return search, answer


def _search(store: str | None, query: str, kind: records.Kind, source: str, max_results: int) -> str:
    options = records.options_of(kind=kind, source=source or None, version=None, max_results=max_results, score_ratio=None)
    try:
        found = records.find(records.opener(store), query, options)
    except PinciteError as error:
        return f"Error: {error.message}"
    missing = f"Not in the library: {', '.join(found.unknown_terms)}." if found.unknown_terms else ""
    return "\n\n".join([*map(written, found), *([missing] if missing else [])]) or "Nothing found."


def _answer(store: str | None, question: str, source: str) -> str:
    try:
        with records.opener(store)() as library:
            return library.ask(question, source=source or None).markdown
    except PinciteError as error:
        return f"Error: {error.message}"
