"""The parameters and bodies of the HTTP routes: names, defaults, bounds. Whatever is not named here is refused with 422.

In: query strings and JSON. Out: pydantic models; their descriptions are those of the OpenAPI document.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, WithJsonSchema

from pincite.errors import UsageError
from pincite.serve import filters, moments


def _moment(value: Any) -> Any:
    """Read a moment as the command line does."""
    if isinstance(value, datetime):
        return value
    try:
        return moments.as_of(str(value))
    except UsageError as error:
        raise ValueError(moments.FORM) from error


def _whole(value: Any) -> Any:
    """Read 3.0 as 3, as JSON Schema does."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


AS_OF = "An ISO 8601 time: answered from what was held then. A bare date is its end."
VERSION = "Only sources added with this version label, or with one in a range such as `>=3.10,<3.13`."
WHERE = "A filter over source, version, kind, lang, language, path, url, title, ref, mark, flag and fetched, with and, or, not, in."
FILTERS = ["path = guide/* and not mark = expired", "source in (guide, handbook) or version >= 3.10"]
WHEN = {"anyOf": [{"type": "string", "format": "date-time"}, {"type": "string", "format": "date"}]}
Moment = Annotated[datetime, BeforeValidator(_moment), WithJsonSchema(WHEN)]
Positive = Annotated[int, Field(ge=1), BeforeValidator(_whole)]
Results = Annotated[int, Field(ge=1, le=1000), BeforeValidator(_whole)]
Neighbors = Annotated[int, Field(ge=0, le=20), BeforeValidator(_whole)]
Pages = Annotated[int, Field(ge=1, le=100_000), BeforeValidator(_whole)]
Depth = Annotated[int, Field(ge=0, le=1000), BeforeValidator(_whole)]
Seconds = Annotated[int, Field(ge=1, le=366 * 86400), BeforeValidator(_whole)]
Question = Annotated[str, StringConstraints(min_length=1, max_length=10_000, pattern=r"\S")]
Slug = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Words = Annotated[str, StringConstraints(max_length=10_000)]
Version = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=filters.VERSION_PATTERN)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class Strict(BaseModel):
    """A model that refuses what it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Body(Strict):
    """A JSON body: `"1"` is no number and `0` is no false."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Nothing(Strict):
    """No parameters at all."""


class AskParams(Strict):
    """`GET /ask`."""

    context_type: Literal["code", "doc", "all"] = Field(default="all", description="Which corpora to look in.")
    query: Words | None = Field(
        None,
        description="What you want to know, in any language. Always send it: without, the whole corpora come back, which is very long.",
        examples=["How do I bypass the cache?"],
    )
    score_ratio: Share = Field(default=0.5, description="Keep hits that score at least this share of the best one.")
    max_results: Positive = Field(default=20, description="At most this many hits of each kind; more than 200 is taken as 200.")
    source: list[Slug] = Field(default=[], max_length=100, description="Only these sources, by name; repeatable.")
    version: Version | None = Field(default=None, description=VERSION, examples=[">=3.10,<3.13"])
    as_of: Moment | None = Field(default=None, description=AS_OF, examples=["2026-11-30T12:00:00Z"])
    max_tokens: Positive | None = Field(default=None, description="At most this many tokens of passages with their context.")


class Filters(Strict):
    """What narrows a search; the same for passages and answers."""

    kind: Literal["all", "doc", "code"] = "all"
    source: list[Slug] = Field(default=[], max_length=100, description="Only these sources, by name.")
    version: Version | None = Field(default=None, description=VERSION, examples=[">=3.10,<3.13"])
    where: Words = Field(default="", description=WHERE, examples=FILTERS, json_schema_extra={"pattern": filters.PATTERN})
    lang: Slug | None = Field(default=None, description="Only this human language (BCP 47).")
    max_results: Results | None = Field(default=None, description="Default: the setting, 10.")
    score_ratio: Share | None = Field(default=None, description="Default: the setting, 0.5.")
    similarity_threshold: Share | None = Field(default=None, description="Keep passages that cover this share of the question's IDF.")
    as_of: Moment | None = Field(default=None, description=AS_OF, examples=["2026-11-30T12:00:00Z"])
    max_tokens: Positive | None = Field(default=None)


class SearchParams(Filters):
    """`GET /v1/search`."""

    query: Question = Field(examples=["bypass the cache"])
    neighbors: Neighbors = Field(default=0, description="So many neighbouring chunks on each side, as labelled context.")
    segments: bool = Field(default=False, description="Whole stretches of documents, grown from the chunks that were found.")
    preset: Literal["balanced", "precision", "find_all"] = Field(default="balanced", description="How segments grow.")
    explain: bool = False


class AnswerBody(Body, Filters):
    """`POST /v1/answers`."""

    question: Question = Field(examples=["How do I bypass the cache?"])
    notes: Literal["footnotes", "inline"] = "footnotes"
    quotes: bool = Field(default=False, description="Print each quote in its footnote.")
    style: Literal["short", "medium", "long"] = "medium"
    model: bool = Field(default=True, description="False: extractive, even where a model is configured.")


class ExportParams(Strict):
    """`GET /v1/export`."""

    format: Literal["context", "llms-txt", "llms-full"] = Field(default="context", description="`context`: the `## File:` form.")
    kind: Literal["doc", "code"] = Field(default="doc", description="With `context`: documents or source code.")
    source: Slug | None = Field(default=None, description="Only this source, by name.")
    name: Slug | None = Field(default=None, description="Name in the head; default: the source's, or Pincite.")
    as_of: Moment | None = Field(default=None, description=AS_OF, examples=["2026-11-30T12:00:00Z"])


class SourceBody(Body):
    """`POST /v1/sources`."""

    location: Annotated[str, StringConstraints(min_length=1, max_length=4000)] = Field(
        description="The web address of a page or a documentation site.", examples=["https://docs.example.org/"]
    )
    name: Slug | None = None
    version: Annotated[str, StringConstraints(max_length=200)] = ""
    scope: Literal["auto", "page", "prefix", "host", "domain"] = "auto"
    include: list[Slug] = Field(default=[], max_length=100)
    exclude: list[Slug] = Field(default=[], max_length=100)
    max_pages: Pages | None = None
    max_depth: Depth | None = None


class RemoveParams(Strict):
    """`DELETE /v1/sources/{source}`."""

    purge: bool = Field(default=False, description="Erase its bytes and texts too; needs the scope `admin`.")


class MarkBody(Body):
    """`POST /v1/marks`."""

    ref: Slug = Field(examples=["REF-7k3m9q"])
    mark: Literal["none", "expired", "needs_update", "keep"]
    why: Annotated[str, StringConstraints(max_length=2000)] = ""


class TokenBody(Body):
    """`POST /token`."""

    subject: Slug | None = Field(default=None, description="Whom the token is for; default: whom yours is for.")
    scope: Literal["read", "write", "admin"] = "read"
    lifetime_s: Seconds = 3600


class HookBody(Body):
    """`POST /v1/hooks/capture`."""

    source: Slug = Field(description="A source that the library has; it is captured again.", examples=["docs-example-org"])
