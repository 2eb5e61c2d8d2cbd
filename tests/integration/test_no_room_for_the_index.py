"""A disk without room for the index: the library is searched and checked all the same."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pincite import Library

CHILD = """
import json, resource, sys
from pincite import Library
with Library(sys.argv[1], create=False) as library:
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
    print(json.dumps([[hit.text for hit in library.search("kiln degrees")], [str(found) for found in library.verify()]]))
"""


@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
@pytest.mark.parametrize("room", [33_000, 60_000], ids=["hardly any", "some"])
def test_a_full_disk_keeps_no_one_from_searching(tmp_path: Path, room: int) -> None:
    store, folder = tmp_path / "library.db", tmp_path / "notes"
    folder.mkdir()
    for n in range(40):
        words = " ".join(f"w{n * 1000 + m:x}" for m in range(600))
        (folder / f"{n}.md").write_text(f"# Kiln {n}\n\nFire kiln number {n} to {1000 + n} degrees. {words}\n")
    with Library(str(store)) as library:
        library.add(str(folder))
    shutil.rmtree(f"{store}.index")
    ran = subprocess.run([sys.executable, "-c", CHILD, str(store), str(room)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    hits, findings = json.loads(ran.stdout)
    assert hits
    assert findings == []
