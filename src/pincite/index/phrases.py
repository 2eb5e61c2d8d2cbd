"""Expressions of several words, and the one word that documentation has for each.

In: the words of a question, in order. Out: which of them stand together for another word. A verb and its particle may have words between
them. A list of our own, of no library in particular. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

GAP = 3
"""Words that may stand between a verb and its particle: `turn the old cache off`."""
PARTICLES = frozenset("on off out up down away back aside over apart together".split())
IRREGULAR = dict(
    pair.split(":")
    for pair in """
    went:go gone:go going:go took:take taken:take taking:take gave:give given:give giving:give put:put putting:put kept:keep left:leave
    leaving:leave brought:bring ran:run running:run came:come coming:come threw:throw thrown:throw got:get getting:get gotten:get made:make
    making:make broke:break broken:break fell:fall fallen:fall found:find told:tell telling:tell held:hold shut:shut cut:cut cutting:cut set:set
    setting:set wrote:write written:write writing:write spelt:spell built:build lost:lose losing:lose sent:send stood:stand knew:know
    known:know
    """.split()
)

PHRASES = """
    turn on: enable / switch on: enable / turn off: disable / switch off: disable / throw away: discard / put away: store / give up: abort
    / go away: removed / go on: continue / carry on: continue / keep going: continue / go back: revert / roll back: rollback / take back: revert
    / bring back: restore / get back: restore / come back: return / get rid: remove / take out: remove / take away: remove / rip out: remove
    / leave out: omit / left out: omitted / miss out: omit / leave alone: unchanged / put aside: stash / set aside: reserve / lay aside: stash
    / put off: defer / hold back: defer / hold on: wait / hang up: disconnect / cut off: truncated / cut down: reduce / cut short: truncated
    / slow down: slow / speed up: performance / blow up: grow / pile up: accumulate / fill up: full / use up: exhausted / run out: exhausted
    / clean up: cleanup / tidy up: cleanup / set up: setup / start up: startup / boot up: boot / shut down: shutdown / back up: backup
    / log in: login / sign in: login / log out: logout / sign out: logout / sign up: register / look up: lookup / look for: search
    / search for: search / find out: determine / figure out: determine / work out: compute / try out: test / hand over: pass / pass on: pass
    / pass along: forward / send on: forward / send back: return / give back: return / give out: assign / hand out: assign / fill in: form
    / type in: input / key in: input / write down: record / jot down: record / keep track: track / take care: handle / deal with: handle
    / cope with: handle / get along: compatible / make up: generate / make sure: ensure / made up: consist / break up: split
    / break down: failure / fall over: crash / fall back: fallback / fall apart: failure / fall behind: lag / lag behind: lag / catch up: synchronize
    / keep up: synchronize / lock out: locked / shut out: deny / keep out: deny / let in: allow / let through: allow / kick out: disconnect
    / throw out: reject / turn away: reject / turn down: reject / turn into: convert / change into: convert / turn up: appear / show up: appear
    / pop up: popup / stick to: restrict / stand for: abbreviation / point to: reference / point at: reference / refer to: reference
    / belong to: owner / stem from: origin / rely on: depend / depend on: depend / build on: depend / hook into: hook
    / link to: link / hang on: wait / wake up: wakeup / watch out: warning / zoom in: zoom / scale up: scale / add up: sum
    / count up: increment / sum up: summary / wrap up: finish / wrap around: wraparound / put together: combine / stick together: join
    / glue together: concatenate / bring together: combine / take apart: split / tell apart: distinguish / spell out: explicit
    / hard wired: hardcoded / hard coded: hardcoded / out of date: stale / up to date: current / out of memory: memory / out of order: unordered
    / out of sync: inconsistent / at once: simultaneously / all at once: batch / at the same time: concurrently / side by side: parallel
    / in parallel: parallel / one by one: sequentially / one at a time: sequentially / one after another: sequentially / in turn: sequentially
    / by itself: automatically / on its own: automatically / by hand: manually / on the fly: dynamically / at runtime: runtime / at run time: runtime
    / ahead of time: beforehand / in advance: beforehand / right away: immediately / straight away: immediately / at once: immediately
    / after a while: timeout / for good: permanently / no longer: removed / for ever: indefinitely / for the time being: temporarily
    / over and over: repeatedly / again and again: repeatedly / from time to time: periodically
    / every so often: periodically / now and then: periodically / every few: interval / at regular intervals: periodically / line by line: lines
    / step by step: tutorial / word for word: verbatim / as is: verbatim / as it is: verbatim / in place: inplace / in the middle: middle
    / behind the scenes: internally / under the hood: internally / behind a proxy: proxy / in front of: proxy / in the background: background
    / from scratch: new / all over again: restart / the other way round: reverse / the other way around: reverse / upside down: reverse / back to front: reverse
    / at most: maximum / no more than: maximum / at least: minimum / no less than: minimum / more than once: duplicate / too often: throttle
    / too many: limit / too much: limit / too long: timeout / too big: size / too large: size / too slow: performance
    / how often: interval / how long: duration / how big: size / how large: size / how far: distance / how fast: rate
    / how old: age / what order: order / in which order: order / who may: permission
    / who can: permission / what kind: type / what kinds: types / what sort: type / what does it mean: meaning / what is meant by: meaning / stand in: substitute
    / brand new: new / read only: readonly / built in: builtin / key word: keyword / white space: whitespace / time out: timeout / host name: hostname
    / file name: filename / user name: username / name space: namespace / data base: database / check point: checkpoint / work tree: worktree
    / sub process: subprocess / sub command: subcommand / sub directory: subdirectory / end point: endpoint / back end: backend / front end: frontend
    / life time: lifetime / life cycle: lifecycle / run time: runtime / compile time: compile / web page: page / web site: website / web server: server
    / zip file: archive / text editor: editor / command line: cli / hard disk: disk / hard drive: disk / memory stick: removable / thumb drive: removable
    / file type: extension / error message: error / stack trace: traceback / back trace: traceback / call stack: traceback / dead lock: deadlock
"""


@dataclass(frozen=True, slots=True)
class Spoken:
    """An expression: the places of its words in the question, and the word that it stands for."""

    places: tuple[int, ...]
    word: str


@lru_cache(maxsize=1)
def _table() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for entry in PHRASES.split("/"):
        phrase, _, word = entry.strip().partition(":")
        first, *rest = phrase.split()
        found.setdefault(first, []).append((tuple(rest), word.strip()))
    for entries in found.values():
        entries.sort(key=lambda entry: -len(entry[0]))
    return found


def spoken(words: Sequence[str], stem: Callable[[str], str]) -> Iterator[Spoken]:
    """Yield the expressions of a question, each of its words in one of them at most; words come as written."""
    lower = [word.lower() for word in words]
    taken: set[int] = set()
    for at, word in enumerate(lower):
        if at in taken:
            continue
        if "-" in word and (whole := _whole(tuple(word.split("-")))):
            yield Spoken((at,), whole)
            continue
        found = next((s for first in _forms(word, stem) for s in _from(first, lower, at, taken)), None)
        if found is not None:
            taken.update(found.places)
            yield found


def _whole(parts: tuple[str, ...]) -> str | None:
    """Return what an expression stands for that is written with hyphens."""
    return next((word for rest, word in _table().get(parts[0], ()) if rest == parts[1:]), None)


def _forms(word: str, stem: Callable[[str], str]) -> tuple[str, ...]:
    base = IRREGULAR.get(word) or next((key for key in (stem(word), stem(word) + "e") if key in _table()), word)
    return tuple(dict.fromkeys((word, base)))


def _from(first: str, words: Sequence[str], at: int, taken: set[int]) -> Iterator[Spoken]:
    for rest, word in _table().get(first, ()):
        run = tuple(range(at, at + len(rest) + 1))
        if tuple(words[at + 1 : at + 1 + len(rest)]) == rest and taken.isdisjoint(run):
            yield Spoken(run, word)
        elif len(rest) == 1 and rest[0] in PARTICLES and first not in ("how", "what"):
            between = words[at + 2 : at + 2 + GAP]
            if rest[0] in between and (place := at + 2 + between.index(rest[0])) not in taken:
                yield Spoken((at, place), word)
