"""Two cited answers from documents that every machine has, through the command line as a user calls it.

In: `--url` and `--ask` for the user's own docs, both may be empty. Out: the commands, the answers, and an exit code: 0 when the notes
name what they must.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / ".quickstart"
STORE = FOLDER / "library.db"
CODE_QUESTION = "How do I submit a coroutine to a given event loop from another thread and get a concurrent future?"
DOCS_QUESTION = "How do I capture a site on a private host?"


def pincite(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Print the command, run it against the quickstart's library, and return what it wrote."""
    print("\n$ pincite", shlex.join(a for a in arguments if a != "--json"), flush=True)
    command = [sys.executable, "-m", "pincite", *arguments, "--store", str(STORE)]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, encoding="utf-8", check=False)


def add(location: str, *options: str) -> int:
    """Capture a source and print its coverage."""
    ran = pincite("add", location, *options)
    print(ran.stdout, end="")
    return ran.returncode


def ask(question: str) -> dict[str, Any]:
    """Ask, print the answer as Markdown, and return it."""
    ran = pincite("ask", question, "--json")
    if not ran.stdout:
        sys.exit(ran.returncode or 1)
    answer: dict[str, Any] = json.loads(ran.stdout)
    print(answer["markdown"])
    return answer


def names(answer: dict[str, Any], path: str, word: str) -> bool:
    """Say whether a footnote stands in that file, under that heading or symbol or with that word in its quote."""
    for citation in answer["citations"]:
        source = citation["source"]
        if source["url"].endswith("/" + path) and word in " ".join((*source["heading"], citation["quote"]["text"])):
            return True
    return False


def own(url: str, question: str) -> int:
    """Do the same for the user's own docs."""
    code = add(url)
    if code > 1 or not question:
        return code
    return 1 if ask(question)["abstained"] else 0


def main() -> int:
    """Run the quickstart."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", default="")
    parser.add_argument("--ask", default="")
    options = parser.parse_args()
    started = time.monotonic()
    FOLDER.mkdir(exist_ok=True)
    if options.url:
        return own(options.url, options.ask)
    shutil.rmtree(FOLDER)
    FOLDER.mkdir()
    library = Path(asyncio.__file__).parents[1]
    code = add(str(ROOT / "docs"), "--name", "pincite-docs")
    code = code or add(str(library), "--name", "python", "--include", "asyncio/*.py", "--include", "json/*.py")
    if code:
        return code
    failed = []
    if not names(ask(CODE_QUESTION), "asyncio/tasks.py", "run_coroutine_threadsafe"):
        failed.append("the first answer has no footnote on run_coroutine_threadsafe in asyncio/tasks.py")
    if not names(ask(DOCS_QUESTION), "how-to/capture-a-site.md", "--allow-private"):
        failed.append("the second answer has no footnote on --allow-private in how-to/capture-a-site.md")
    for line in failed:
        print(f"Quickstart failed: {line}.", file=sys.stderr)
    if not failed:
        print(f"\nTwo cited answers in {time.monotonic() - started:.0f} s. The library is {STORE.relative_to(ROOT)}.")
        print('Your own docs: make quickstart URL=https://docs.example.org/ ASK="your question"')
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
