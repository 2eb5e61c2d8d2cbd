"""In: Markdown as people and models write it, about one page. Out: what `verify` makes of each sentence: right ones hold, wrong ones do
not, what only looks like a source is none.
"""

from __future__ import annotations

from time import process_time

import pytest

from pincite.cite.reach import Reach
from pincite.cite.verify import verify_answer

URL = "https://docs.example.org/lease.html"
HAN = "https://docs.example.org/zh_(a).html"
LEASE = """# Lease

## Rent

The rent is 1,250 euros a month. Interest of 4.5 % a year is due on arrears.

## Subletting

The tenant may sublet the boathouse, but only when the landlord has agreed in writing. No interest is paid on the deposit.

- The landlord repairs the roof.
- The tenant repairs the winch.

```sh
winch --lift 800 --slow
```

| Boat | Fee |
|---|---|
| Skiff | 40 |
| Yacht | 310 |
"""
QUEUE = "# 队列\n\n队列最多保存10000个任务。任务失败后不会自动删除。超时时间以毫秒为单位，默认值为2500毫秒。\n"
RENT, BAD = "The rent is 1,250 euros a month.", "The rent is 1,520 euros a month."
CUT = "The tenant may sublet the boathouse, but only when the landlord has agreed in writing."
T, F = True, False
NOTE = f"\n\n[^1]: {URL}\n"

CASES = {
    "a footnote": (f"{RENT}[^1]{NOTE}", [T]),
    "a footnote, wrong": (f"{BAD}[^1]{NOTE}", [F]),
    "a footnote in another case": (f"{RENT}[^A]\n\n[^a]: {URL}\n", [T]),
    "two notes of one sentence": (f"{RENT}[^1][^2]{NOTE}[^2]: {HAN}\n", [T, F]),
    "a note with two addresses": (f"{RENT}[^1]\n\n[^1]: See {HAN} and {URL}\n", [T]),
    "a note with two addresses, wrong": (f"{BAD}[^1]\n\n[^1]: See {HAN} and {URL}\n", [F]),
    "a note over two lines": (f"{RENT}[^1]\n\n[^1]: The lease,\n    at {URL}\n", [T]),
    "a note defined in the middle": (f"{RENT}[^1]{NOTE}\nThe tenant repairs the winch.[^1]\n", [T, T]),
    "an inline note": (f"{RENT}^[{URL}]\n", [T]),
    "a bare address": (f"{RENT} {URL}\n", [T]),
    "an address with See": (f"{RENT} See {URL}.\n", [T]),
    "an address in brackets, wrong": (f"{BAD} ({URL})\n", [F]),
    "an autolink": (f"{RENT} <{URL}>\n", [T]),
    "a link behind": (f"{RENT} [source]({URL})\n", [T]),
    "a link with a title": (f'{RENT} [source]({URL} "The lease")\n', [T]),
    "a link on a word": (f"According to the [lease]({URL}), the rent is 1,250 euros a month.\n", [T]),
    "a link on a word, wrong": (f"According to the [lease]({URL}), the rent is 1,520 euros a month.\n", [F]),
    "an address in the middle": (f"The lease ({URL}) says that no interest is paid on the deposit.\n", [T]),
    "an address in the middle, wrong": (f"The lease ({URL}) says that interest is paid on the deposit.\n", [F]),
    "a reference link": (f"{RENT} [source][1]\n\n[1]: {URL}\n", [T]),
    "a reference link, wrong": (f"{BAD} [source][1]\n\n[1]: {URL}\n", [F]),
    "a collapsed reference": (f'{RENT} [lease][]\n\n[lease]: {URL} "Lease"\n', [T]),
    "a shortcut reference": (f"{RENT} [1]\n\n[1]: <{URL}>\n", [T]),
    "a numbered list of sources": (f"{RENT} [1]\n\nSources:\n1. {URL}\n", [T]),
    "a numbered list of sources, wrong": (f"{BAD} [1]\n\n## References\n\n1. Lease, {URL}\n", [F]),
    "a list of sources in square brackets": (f"{RENT} [1]\n\nSources:\n\n[1] {URL}\n", [T]),
    "an HTML link": (f'{RENT} <a href="{URL}">lease</a>\n', [T]),
    "a raised link": (f"{RENT}<sup>[1]({URL})</sup>\n", [T]),
    "a quote block and its source": (f"> {RENT}\n\n— {URL}\n", [T]),
    "a quote block and its source inside": (f"> {RENT}\n> — [Lease]({URL})\n", [T]),
    "a quote block, wrong": (f"> {BAD}[^1]{NOTE}", [F]),
    "list items": (f"- {RENT}[^1]\n- The landlord repairs the roof.[^1]\n- The landlord repairs the winch.[^1]{NOTE}", [T, T, F]),
    "nested items": (f"1. Rent\n   - {RENT} ({URL})\n   - The tenant repairs the winch. ({URL})\n2. Roof\n   - {BAD} ({URL})\n", [T, T, F]),
    "rows": (f"| Boat | Fee | Source |\n|---|---|---|\n| Skiff | 40 | {URL} |\n| Yacht | 40 | {URL} |\n", [T, F]),
    "rows with notes": (f"| Boat | Fee |\n|---|---|\n| Skiff | 40[^1] |\n| Yacht | 40[^1] |{NOTE}", [T, F]),
    "code and its source": (f"```sh\nwinch --lift 800 --slow\n```\n\nSource: {URL}\n", [T]),
    "code and its source, wrong": (f"```sh\nwinch --lift 900 --slow\n```\n\nSource: {URL}\n", [F]),
    "a lead with a note and code": (f"Run this:[^1]\n\n```sh\nwinch --lift 800 --slow\n```{NOTE}", [T]),
    "a lead with a note and code, wrong": (f"Run this:[^1]\n\n```sh\nwinch --lift 900 --slow\n```{NOTE}", [F]),
    "a note in code is none": (f"```\nsee [^9] and https://x.example/\n```\n\n{RENT}[^1]{NOTE}", [T]),
    "a note in ticks is none": (f"Write `[^9]` for a note. {RENT}[^1]{NOTE}", [T]),
    "a comment is none": (f"<!-- https://a.example/ [^5] -->\n{RENT}[^1]{NOTE}", [T]),
    "front matter is none": (f"---\ntitle: x\nurl: https://a.example/\n---\n\n{RENT}[^1]{NOTE}", [T]),
    "an image is none": (f"![chart](https://a.example/x.png)\n\n{RENT}[^1] ![chart](https://a.example/y.png){NOTE}", [T]),
    "an escaped mark is none": (f"{RENT}\\[^3] [^1]{NOTE}", [T]),
    "Han": (f"队列最多保存10000个任务。[^1]任务失败后会自动删除。[^1]\n\n[^1]: {HAN}\n", [T, F]),
    "Han and addresses": (f"队列最多保存10000个任务。（{HAN}）任务失败后不会自动删除（{HAN}）。\n", [T, T]),
    "Han, a number wrong": (f"队列最多保存1000个任务。{HAN}\n", [F]),
    "a text fragment": (f"Rent costs much.[^1]\n\n[^1]: {URL}#:~:text=The%20rent%20is%201%2C250%20euros%20a%20month.\n", [T]),
    "a text fragment with a prefix": (f"It costs much.[^1]\n\n[^1]: {URL}#:~:text=Rent-,The%20rent%20is%201%2C250%20euros,-a\n", [T]),
    "a text fragment, wrong": (f"Rent costs much.[^1]\n\n[^1]: {URL}#:~:text=The%20rent%20is%201%2C520%20euros%20a%20month.\n", [F]),
    "a condition left out": (f"The tenant may sublet the boathouse.[^1]{NOTE}", [F]),
    "a quotation in the sentence": (f'Subletting needs consent: "{CUT}"[^1]{NOTE}', [T]),
    "a word for another": (f"The landlord may sublet the boathouse, but only when the tenant has agreed in writing.[^1]{NOTE}", [F]),
    "line ends of Windows": (f"{RENT}[^1]\r\n\r\n[^1]: {URL}\r\n", [T]),
    "a byte order mark": (f"\ufeff{RENT}[^1]{NOTE}", [T]),
    "a heading with a note": (f"## The rent is 1,250 euros a month[^1]{NOTE}", [T]),
    "a dangling note and an unused one": (f"{RENT}[^7]{NOTE}", [F, F]),
}


@pytest.fixture
def check(shelf, page):
    held = [shelf.put(page(LEASE, url=URL)), shelf.put(page(QUEUE, url=HAN, language="zh"))]
    reach = Reach(lambda source, path: tuple(d for d in held if d.base_url == path), lambda words: tuple(held), lambda id: None)
    return lambda text: verify_answer(text, shelf, reach)


@pytest.mark.parametrize(("text", "holds"), CASES.values(), ids=CASES)
def test_what_anyone_writes_is_checked_sentence_by_sentence(check, text: str, holds: list[bool]) -> None:
    notes = check(text)
    assert [note.holds for note in notes] == holds, notes


def test_lines_are_those_of_the_text(check) -> None:
    notes = check(
        f"---\na: b\n---\n<!-- x\n\n -->\n# Rent\n\n{RENT}[^1] Also:\n{BAD}[^1]\n\n- {RENT}[^1]\n\n```\nx\n```\n{RENT} ({URL}){NOTE}"
    )
    assert [note.line for note in notes] == [9, 9, 12, 17]


@pytest.mark.parametrize(
    "text",
    [RENT * 60_000, f"{RENT} " * 60_000, "- x\n" * 200_000, "> " * 200_000, "| a " * 200_000, "<!--" * 200_000, "```\n" * 200_000],
    ids=["one word", "one line", "items", "quotes", "cells", "comments", "fences"],
)
def test_megabytes_are_read_in_seconds(check, text: str) -> None:
    begun = process_time()
    check(text + NOTE)
    assert process_time() - begun < 10
