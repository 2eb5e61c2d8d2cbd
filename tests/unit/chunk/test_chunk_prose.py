"""Documents of headings and blocks are cut at them, and nowhere else while they fit."""

import pytest

from pincite.chunk.chunker import StructureChunker
from pincite.chunk.sizes import estimate

SENTENCE = "The crawler waits a little before it asks the same host again. "
FENCE = "```python\n" + "".join(f"step_{n} = prepare(step_{n - 1}, wait={n})\n\n" for n in range(1, 60)) + "```"
TABLE = "| option | meaning |\n|---|---|\n" + "\n".join(f"| `opt_{n}` | what option number {n} changes in a run |" for n in range(80))


def texts(document):
    return [chunk.span.of(document.text) for chunk in StructureChunker().chunk(document)]


def test_each_section_with_content_is_a_chunk_of_its_own(laid):
    document = laid(
        [
            (("Guide",), "heading", "# Guide"),
            (("Guide",), "paragraph", SENTENCE * 4),
            (("Guide", "Limits"), "heading", "## Limits"),
            (("Guide", "Limits"), "paragraph", SENTENCE * 4),
        ],
        anchors=True,
    )
    chunks = StructureChunker().chunk(document)
    assert [c.heading for c in chunks] == [("Guide",), ("Guide", "Limits")]
    assert [c.anchor for c in chunks] == ["guide", "limits"]
    assert [c.paragraph for c in chunks] == [1, 1]
    assert [c.line for c in chunks] == [1, 5]


def test_a_heading_without_text_goes_with_the_section_below_it(laid):
    document = laid(
        [
            (("Guide",), "heading", "# Guide"),
            (("Guide", "Usage"), "heading", "## Usage"),
            (("Guide", "Usage"), "paragraph", SENTENCE * 3),
        ]
    )
    (chunk,) = StructureChunker().chunk(document)
    assert chunk.heading == ("Guide", "Usage")
    assert chunk.span.of(document.text).startswith("# Guide")


def test_a_long_section_is_shared_out_evenly_at_block_ends(laid):
    document = laid([(("Guide",), "paragraph", SENTENCE * 10) for _ in range(6)])
    sizes = [estimate(text) for text in texts(document)]
    assert len(sizes) == 2
    assert max(sizes) <= 512
    assert min(sizes) >= 200


def test_a_fence_is_never_cut_while_it_fits(laid):
    fence = "```\n" + "\n\n".join(f"line {n}" for n in range(40)) + "\n```"
    document = laid([(("A",), "paragraph", SENTENCE * 20), (("A",), "code", fence), (("A",), "paragraph", SENTENCE * 20)])
    assert any(fence in text for text in texts(document))


def test_a_hash_line_in_a_fence_starts_no_section(laid):
    fence = "```sh\n# not a heading\nrun\n```"
    document = laid([(("A",), "heading", "# A"), (("A",), "code", fence)])
    (chunk,) = StructureChunker().chunk(document)
    assert chunk.heading == ("A",)


@pytest.mark.parametrize(("kind", "body"), [("code", FENCE), ("table", TABLE)], ids=["fence", "table"])
def test_what_is_too_large_is_cut_at_line_ends(laid, kind, body):
    document = laid([(("A",), kind, body)])
    found = texts(document)
    lines = set(body.split("\n"))
    assert len(found) > 1
    assert all(estimate(text) <= 512 for text in found)
    assert all(set(text.split("\n")) <= lines for text in found)


def test_a_long_paragraph_is_cut_between_sentences(laid):
    found = texts(laid([(("A",), "paragraph", (SENTENCE * 80).strip())]))
    assert len(found) > 1
    assert all(text.startswith("The crawler") and text.endswith("again.") for text in found)


def test_abbreviations_end_no_sentence(laid):
    sentence = "Name the host, e.g. Example or Dr. Watson, cf. Fig. 3 of the guide, before the run begins. "
    found = texts(laid([(("A",), "paragraph", (sentence * 60).strip())]))
    assert len(found) > 1
    assert all(text.startswith("Name the host") for text in found)


def test_chinese_without_spaces_is_cut_after_full_stops(laid):
    found = texts(laid([(("A",), "paragraph", "抓取程序在再次访问同一主机之前会等待片刻。" * 80)]))
    assert len(found) > 1
    assert all(text.endswith("。") for text in found)


def test_a_wall_of_text_without_any_boundary_still_ends(laid):
    assert all(estimate(text) <= 512 for text in texts(laid([(("A",), "paragraph", "x" * 20_000)])))


def test_the_leading_sentence_stays_with_its_list(laid):
    from dataclasses import replace

    document = laid([(("A",), "paragraph", SENTENCE * 30), (("A",), "paragraph", "Do this:"), (("A",), "list_item", "- " + SENTENCE * 9)])
    blocks = (*document.blocks[:2], replace(document.blocks[2], lead="b1"))
    found = texts(replace(document, blocks=blocks))
    assert any("Do this:" in text and "- The crawler" in text for text in found)


def test_a_list_of_links_is_boilerplate_and_a_described_one_is_not(laid):
    links = "\n".join(f"- [Chapter {n}](chapter{n}.html)" for n in range(8))
    told = "\n".join(f"- [Chapter {n}](chapter{n}.html) says how the part with number {n} is set up and run" for n in range(8))
    plain, described = (StructureChunker().chunk(laid([(("A",), "list_item", body)]))[0] for body in (links, told))
    assert plain.boilerplate
    assert not described.boilerplate


@pytest.mark.parametrize(
    "page", ["genindex.html", "py-modindex.html", "search.html", "_modules/app/core.html", "bookindex.html", "ix01.html", "index-all.html"]
)
def test_generated_index_pages_are_boilerplate(laid, page):
    document = laid([(("Index",), "paragraph", "run (class in app), 12")], base_url="https://docs.example.org/" + page)
    assert all(chunk.boilerplate for chunk in StructureChunker().chunk(document))


def test_an_empty_document_has_no_chunks(laid):
    assert StructureChunker().chunk(laid([])) == ()


def test_small_terms_join_and_say_what_they_define(laid):
    document = laid(
        [
            (("Options", "--quiet"), "term", "--quiet"),
            (("Options", "--quiet"), "paragraph", "Say less."),
            (("Options", "--verbose"), "term", "--verbose"),
            (("Options", "--verbose"), "paragraph", "Say more."),
        ]
    )
    (chunk,) = StructureChunker().chunk(document)
    assert chunk.defines == ("--quiet", "--verbose")


def test_a_term_says_under_which_heading_it_is_read(laid):
    document = laid(
        [
            (("Options",), "heading", "# Options"),
            (("Options",), "paragraph", SENTENCE * 12),
            (("Options", "rate"), "term", "rate"),
            (("Options", "rate"), "paragraph", SENTENCE * 12),
        ],
        anchors=True,
    )
    general, rate = StructureChunker().chunk(document)
    assert (general.section, general.part) == (1, None)
    assert (rate.section, rate.part) == (2, 1)


def story(paragraphs):
    return [((), "paragraph", f"Part {n} of the story. " + f"In scene {n} nobody spoke of word{n}. " * 9) for n in range(paragraphs)]


def test_a_long_text_without_headings_is_cut_smaller_and_ranked_piece_by_piece(laid):
    document = laid(story(60))
    chunks = StructureChunker().chunk(document)
    sizes = [estimate(c.span.of(document.text)) for c in chunks]
    assert max(sizes) <= 307
    assert min(sizes[:-1]) >= 120
    assert len({c.part for c in chunks}) == len(chunks)
    assert all(c.part is not None and c.part >= len(document.sections) for c in chunks)


def test_a_short_text_without_headings_stays_one_section(laid):
    assert {c.part for c in StructureChunker().chunk(laid(story(10)))} == {None}


def test_a_long_text_under_one_heading_is_ranked_piece_by_piece_and_its_neighbours_are_not(laid):
    trail = ("Minutes",)
    long = [(trail, "heading", "# Minutes"), *((trail, kind, body) for _, kind, body in story(60))]
    document = laid([(("Agenda",), "heading", "# Agenda"), (("Agenda",), "paragraph", "Three points."), *long])
    chunks = StructureChunker().chunk(document)
    assert chunks[0].part is None
    assert {c.heading for c in chunks[1:]} == {trail}
    assert len({c.part for c in chunks[1:]}) == len(chunks) - 1


def test_terms_under_a_heading_are_ranked_with_it_however_many_they_are(laid):
    blocks = [(("Options",), "heading", "# Options")]
    for n in range(200):
        blocks += [
            (("Options", f"opt{n}"), "term", f"opt{n}"),
            (("Options", f"opt{n}"), "paragraph", f"Sets number {n} of the things. " * 3),
        ]
    document = laid(blocks, anchors=True)
    assert {c.part for c in StructureChunker().chunk(document)} <= {None, 1}


def test_a_fence_in_a_long_text_is_kept_whole_as_long_as_it_fits(laid):
    fence = "```\n" + "".join(f"step_{n} = prepare(step_{n})\n" for n in range(36)) + "```"
    assert 320 < estimate(fence) < 512
    blocks = story(60)
    blocks.insert(30, ((), "code", fence))
    assert sum(fence in text for text in texts(laid(blocks))) == 1
