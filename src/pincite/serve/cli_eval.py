"""`eval`: measure search on questions with known places.

In: a JSONL file of gold questions, perhaps an earlier run's results. Out: recall@k, MRR, nDCG@10, and the difference to the earlier run.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from pincite.errors import SourceError, UsageError
from pincite.retrieve import measures
from pincite.serve.cli_options import objects
from pincite.serve.session import Session, everywhere


@click.command("eval")
@click.argument("gold", type=click.Path())
@click.option(
    "--baseline", type=click.Path(), metavar="FILE.jsonl", help="Results of an earlier run to compare with, question by question."
)
@click.option("--out", type=click.Path(), metavar="FILE.jsonl", help="Write the rank of each question, for a later --baseline.")
@click.option("--max-results", type=click.IntRange(1, 200), default=20, show_default=True, help="How many passages count.")
@everywhere
@click.pass_obj
def evaluate(session: Session, /, gold: str, baseline: str | None, out: str | None, max_results: int) -> None:
    """Measure search: one {"query", "gold": [{"path", "evidence" or "heading"}]} a line."""
    asked = list(questions(objects(gold, "query", session.bad_line), gold))
    if not asked:
        raise UsageError(f"{gold} holds no question.")
    with session.library() as library:
        rows = []
        for question in asked:
            found = library.search(question.query, kind=question.kind, max_results=max_results, score_ratio=0.0)  # type: ignore[arg-type]
            rows.append((question, measures.gains(question, found.passages)))
    ranks = {question.query: measures.rank(gained) for question, gained in rows}
    if out:
        Path(out).write_text("".join(json.dumps({"query": q, "rank": r}, ensure_ascii=False) + "\n" for q, r in ranks.items()), "utf-8")
    report: dict[str, Any] = asdict(measures.figures(rows))
    if baseline:
        report["difference"] = compared(ranks, baseline)
    session.emit(lambda: report, lambda: "\n".join(told(report)))


eval = evaluate
"""The command under its own name, by which `cli` finds it."""


def questions(lines: Iterator[Mapping[str, Any]], where: str) -> Iterator[measures.Asked]:
    """Yield the questions of a gold file. Raises UsageError for a line without a place."""
    for line in lines:
        places = line.get("gold") or ([line] if line.get("path") else [])
        if not isinstance(places, list) or not all(isinstance(p, dict) and p.get("path") for p in places) or not places:
            raise UsageError(f'{where}: the question {line["query"]!r} names no place: {{"gold": [{{"path": …, "evidence": …}}]}}.')
        made = tuple(measures.Gold(str(p["path"]), str(p.get("evidence", "")), str(p.get("heading", ""))) for p in places)
        yield measures.Asked(str(line["query"]), made, str(line.get("kind", "all")))


def compared(ranks: Mapping[str, int | None], baseline: str) -> dict[str, Any]:
    """Return the paired difference in reciprocal rank to an earlier run, and the questions that moved."""
    try:
        lines = [json.loads(line) for line in Path(baseline).read_text("utf-8").splitlines() if line.strip()]
        old = {str(line["query"]): line["rank"] for line in lines}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SourceError(f"Can't read the earlier results {baseline}: {error}.") from error
    both = [query for query in ranks if query in old]
    reciprocal = [[1.0 / r if r else 0.0 for r in (table[q] for q in both)] for table in (ranks, old)]
    moved = [{"query": q, "before": old[q], "now": ranks[q]} for q in both if old[q] != ranks[q]]
    return {**asdict(measures.paired(reciprocal[0], reciprocal[1])), "moved": moved}


def told(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield the report as lines."""
    yield f"questions {report['questions']}"
    for name in ("recall_at_1", "recall_at_5", "recall_at_10", "mrr", "ndcg_at_10"):
        yield f"{name:<13} {report[name]:.3f}"
    if difference := report.get("difference"):
        interval = f"[{difference['low']:+.3f}, {difference['high']:+.3f}]"
        yield f"MRR {difference['mean']:+.3f} {interval}, better {difference['better']}, worse {difference['worse']}"
        for row in difference["moved"]:
            yield f"  {row['before'] or '-'} -> {row['now'] or '-'}  {row['query']}"
