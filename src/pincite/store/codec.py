"""Turns frozen values into JSON objects and back, by their fields; fields at their default are left out.

In: dataclasses of `types`. Out: plain JSON values. A field added later, with a default, reads as that default from an older row. Text
that cannot be UTF-8 (lone surrogates) survives: JSON escapes it, columns hold its bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

from pincite.types import Span, moment, timestamp

T = TypeVar("T")
Convert = Callable[[Any], Any]

ENCODE = json.JSONEncoder(separators=(",", ":")).encode
SCAN: Callable[[str, int], tuple[Any, int]] = cast("Any", json.JSONDecoder()).scan_once


def plain(text: str) -> str | bytes:
    """Return text as a column holds it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def text_of(value: str | bytes) -> str:
    """Return the text that `plain` made a column value of."""
    return value if isinstance(value, str) else value.decode("utf-8", "surrogatepass")


def key_of(id: str, prefix: str) -> str | bytes:
    """Return the digest's bytes of an id such as `doc_<hex>`, or the id itself where it is none."""
    if not id.startswith(prefix):
        return id
    rest = id[len(prefix) :]
    try:
        key = bytes.fromhex(rest)
    except ValueError:
        return id
    return key if key.hex() == rest else id


def id_of(key: str | bytes, prefix: str) -> str:
    """Return the id whose key this is."""
    return key if isinstance(key, str) else prefix + key.hex()


def dumps(value: Any) -> str:
    """Return compact JSON in ASCII."""
    return ENCODE(value)


def loads(text: str | bytes) -> Any:
    """Return what `dumps` wrote. Raises ValueError for anything else. Four times as fast as `json.loads` on a chunk's row."""
    try:
        value, _ = SCAN(text if isinstance(text, str) else text.decode("ascii"), 0)
    except StopIteration as error:
        raise ValueError("no JSON value") from error
    return value


def fields_of(value: Any, without: Iterable[str] = ()) -> dict[str, Any]:
    """Return the value's fields as JSON values, without those at their default and those named."""
    found, kind = {}, cast("Any", type(value))
    for name, (default, out, _) in _plan(kind).items():
        field = getattr(value, name)
        if field is default or field == default or name in without:
            continue
        found[name] = out(field) if out else field
    return found


def made(kind: type[T], found: dict[str, Any], **more: Any) -> T:
    """Return the value whose fields these are; `more` are fields that are kept elsewhere. Takes `found` over."""
    known, backs = _ways_back(cast("Any", kind))
    for name, back in backs:
        value = found.get(name)
        if value is not None:
            found[name] = back(value)
    if not found.keys() <= known:
        found = {name: value for name, value in found.items() if name in known}
    return kind(**found, **more)


@lru_cache(maxsize=64)
def _ways_back(kind: Any) -> tuple[frozenset[str], tuple[tuple[str, Convert], ...]]:
    """Return the names of the fields, and for those that are not JSON already how they come back."""
    plan = _plan(kind)
    return frozenset(plan), tuple((name, back) for name, (_, _, back) in plan.items() if back is not None)


@lru_cache(maxsize=64)
def _plan(kind: Any) -> dict[str, tuple[Any, Convert | None, Convert | None]]:
    """Return for each field its default and how it becomes JSON and comes back; None where it is JSON already."""
    hints = get_type_hints(kind)
    return {f.name: (_default(f), *_converters(hints[f.name])) for f in fields(kind)}


def _default(field: Field[Any]) -> Any:
    if field.default is not MISSING:
        return field.default
    return field.default_factory() if field.default_factory is not MISSING else MISSING


def _converters(hint: Any) -> tuple[Convert | None, Convert | None]:
    options = [a for a in get_args(hint) if a is not type(None)]
    if get_origin(hint) is tuple:
        inner_out, inner_back = _converters(options[0])
        return (lambda v: [inner_out(x) for x in v] if inner_out else list(v)), _tuple(inner_back)
    if hint is Span or Span in options:
        return (lambda v: None if v is None else [v.start, v.end]), (lambda v: Span(*v))
    if hint is datetime or datetime in options:
        return (lambda v: None if v is None else timestamp(v)), moment
    if isinstance(hint, type) and is_dataclass(hint):
        return fields_of, (lambda v: made(hint, v))
    return None, None


def _tuple(back: Convert | None) -> Convert:
    if back is None:
        return tuple
    return lambda v: tuple([back(x) for x in v])
