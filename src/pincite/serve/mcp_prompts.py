"""Resources and prompts: what a client may read by address, and the questions it may offer to its user.

In: an open Library, an address or a prompt's arguments. Out: JSON as `resources/read` and `prompts/get` give it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlsplit

from pincite.errors import UsageError
from pincite.serve import context_export, mcp_tools, schemas

if TYPE_CHECKING:
    from pincite.library import Library

Json = dict[str, Any]
LISTED = 100
"""Snapshots that `resources/list` names; the template reaches all others."""

TEMPLATES: tuple[Json, ...] = (
    {
        "uriTemplate": "pincite://snapshot/{ref}",
        "name": "snapshot",
        "title": "A captured page",
        "description": "The text of a captured page as Markdown, by its REF- code; it never changes.",
        "mimeType": "text/markdown",
    },
    {
        "uriTemplate": "pincite://ask{?query,context_type,source,version,as_of,score_ratio,max_results,offset}",
        "name": "ask",
        "title": "The rest of a search",
        "description": "Passages after the first `offset`, whole; what a capped result of the tool `ask` links to.",
        "mimeType": "text/markdown",
    },
    {
        "uriTemplate": "pincite://context/{kind}",
        "name": "context",
        "title": "A whole corpus",
        "description": "All documents (`doc`) or all source code (`code`) of the library in one text. Very long.",
        "mimeType": "text/markdown",
    },
)

PROMPTS: tuple[Json, ...] = (
    {
        "name": "cited_answer",
        "title": "Answer with citations",
        "description": "Answer a question from the library alone, each statement with its REF- code and link.",
        "arguments": [{"name": "question", "description": "What you want to know.", "required": True}],
    },
    {
        "name": "check_claims",
        "title": "Check a text against the library",
        "description": "Find out which statements of a text the captured documentation supports, contradicts or does not mention.",
        "arguments": [{"name": "text", "description": "The text to check.", "required": True}],
    },
)
_WORDS = {
    "cited_answer": (
        "Answer this question from the captured documentation. Call the tool `ask` with `query` set, read what it finds, and put the REF- "
        "code and link of the passage behind each statement. What the passages don't say, leave out. If they don't answer, say so.\n\n"
        "Question: {question}"
    ),
    "check_claims": (
        "Check the text below, statement by statement. For each: call the tool `ask` with `query` set to the statement; quote the passage "
        "that supports or contradicts it and confirm the quote with the tool `verify`; or say that the library doesn't mention it.\n\n"
        "Text:\n{text}"
    ),
}


def resources(library: Library) -> list[Json]:
    """Return the newest snapshots of the library, as `resources/list` gives them."""
    newest = sorted(library.held(), key=lambda h: (h.valid_from, h.ref), reverse=True)
    return [
        {
            "uri": f"pincite://snapshot/{holding.ref}",
            "name": holding.ref,
            "title": holding.path or holding.url,
            "description": f"{holding.url}, captured {schemas.moment_or_none(holding.valid_from)}",
            "mimeType": "text/markdown",
        }
        for holding in newest[:LISTED]
    ]


def read(library: Library, uri: str) -> Json:
    """Return the contents of a resource. Raises UsageError for an address that names none."""
    parts = urlsplit(uri)
    if parts.scheme != "pincite":
        raise UsageError(f"{uri} is no address of this server; they begin with pincite://.")
    name = unquote(parts.path.strip("/"))
    if parts.netloc == "snapshot" and name:
        text = library.document(name).text
    elif parts.netloc == "context" and name in ("doc", "code"):
        kind: Any = name
        text = "".join(context_export.sections(context_export.pages(library, kind=kind), kind=kind))
    elif parts.netloc == "ask":
        text = _rest(library, dict(parse_qsl(parts.query)), uri)
    else:
        raise UsageError(f"There is no resource {uri}.")
    return {"contents": [{"uri": uri, "mimeType": "text/markdown", "text": text}]}


def _rest(library: Library, given: dict[str, str], uri: str) -> str:
    arguments: Json = dict(given)
    try:
        offset = int(arguments.pop("offset", "0"))
        if "max_results" in arguments:
            arguments["max_results"] = int(arguments["max_results"])
        if "score_ratio" in arguments:
            arguments["score_ratio"] = float(arguments["score_ratio"])
    except ValueError as error:
        raise UsageError(f"{uri}: offset, max_results and score_ratio are numbers.") from error
    if not arguments.get("query", "").strip() or offset < 0 or arguments.get("context_type", "all") not in ("doc", "code", "all"):
        raise UsageError(f"{uri}: give a query, an offset of 0 or more, and context_type doc, code or all.")
    return mcp_tools.rest(library, arguments, offset)


def prompt(name: str, arguments: dict[str, str]) -> Json:
    """Return a prompt filled in. Raises UsageError for an unknown prompt or a missing argument."""
    known = next((p for p in PROMPTS if p["name"] == name), None)
    if known is None:
        raise UsageError(f"There is no prompt {name}. There are: {', '.join(p['name'] for p in PROMPTS)}.")
    needed = [a["name"] for a in known["arguments"]]
    missing = [n for n in needed if not str(arguments.get(n, "")).strip()]
    if missing:
        raise UsageError(f"The prompt {name} needs {', '.join(missing)}.")
    text = _WORDS[name]
    for argument in needed:
        text = text.replace("{" + argument + "}", str(arguments[argument]))
    return {"description": known["description"], "messages": [{"role": "user", "content": {"type": "text", "text": text}}]}
