"""Scripts and style sheets of a documentation site's theme, its search index, and minified files are no content."""

import pytest

from pincite.chunk import boilerplate


@pytest.mark.parametrize(
    ("path", "is_machinery"),
    [
        ("searchindex.js", True),
        ("en/search_index.json", True),
        ("_static/doctools.js", True),
        ("_static/css/theme.css", True),
        ("assets/jquery.min.js", True),
        ("book.js", True),
        ("src/app.js", False),
        ("web/site.css", False),
        ("searching/index.js", False),
    ],
)
def test_site_machinery_is_told_by_its_path(path, is_machinery):
    assert boilerplate.is_site_machinery(path) is is_machinery


def test_a_line_that_nobody_reads_was_written_by_a_machine():
    assert boilerplate.is_generated("var index=" + "{a:1}," * 400)
    assert not boilerplate.is_generated("total = 0\nfor n in range(10):\n    total += n\n" * 40)
