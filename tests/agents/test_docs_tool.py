"""The code-docs tool over a real library and a site of our own, without any framework."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite import Library, Settings
from pincite.integrations.docs_tool import DocsSearch, LibraryAdapter, Place
from pincite.integrations.reading import reading

Make = Callable[..., LibraryAdapter]


@pytest.fixture
def adapter(store: str, tmp_path: Path, site: Any, other: Any) -> Make:
    """Return what makes adapters on one library."""
    private = (f"127.0.0.1:{site.port}", f"127.0.0.1:{other.port}")
    settings = Settings(store=store, allow_private=private, delay_s=0.0)
    place = Place(lambda: Library(settings=settings), private, settings.max_age_s, (tmp_path.resolve(),))
    return lambda **more: LibraryAdapter(place, **more)


def test_every_page_of_the_site_answers(site: Any, adapter: Make) -> None:
    tool = DocsSearch(site.url, adapter(), similarity_threshold=0.0)
    assert "cron expression" in tool.run("cron expression")
    assert "once a month" in tool.run("descale once a month")


def test_utf_8_without_a_charset_is_read_right(site: Any, adapter: Make) -> None:
    assert "Café owners descale weekly" in DocsSearch(site.url, adapter()).run("café owners descale weekly")


def test_code_lines_and_tables_stay_whole(site: Any, adapter: Make) -> None:
    tool = DocsSearch(site.url, adapter(), similarity_threshold=0.0)
    assert 'kettle.schedule(\n    "0 7 * * *",\n)' in tool.run("Kettle.schedule")
    assert re.search(r"\|\s*quiet\s*\|\s*no whistle\s*\|", tool.run("quiet no whistle"))


def test_nothing_of_a_long_page_is_cut_off(site: Any, adapter: Make) -> None:
    words = "".join(
        f"<h2>Part {i}</h2><p>Paragraph {i} about boiling, steaming and pouring slowly into warm cups.</p>" for i in range(2500)
    )
    site.pages["/docs/"] = (
        f"<html><head><title>Long</title></head><body><main><h1>Long</h1>{words}<p>The zanzibar valve.</p></main></body></html>"
    )
    assert len(site.pages["/docs/"]) > 100_000
    assert "The zanzibar valve." in DocsSearch(site.url, adapter(), similarity_threshold=0.0).run("zanzibar valve")


def test_every_passage_is_a_slice_of_its_page(site: Any, store: str, adapter: Make) -> None:
    DocsSearch(site.url, adapter())
    with Library(store) as library:
        found = library.search("kettle descale schedule cron whistle", score_ratio=0.0)
        assert found
        for passage in found:
            assert library.document(passage.ref).text[passage.start : passage.end] == passage.text


def test_pages_of_one_address_never_answer_for_another(site: Any, other: Any, adapter: Make) -> None:
    kettle = DocsSearch(site.url, adapter(), similarity_threshold=0.0)
    teapot = DocsSearch(other.url, adapter(), similarity_threshold=0.0)
    both = DocsSearch(None, adapter(), similarity_threshold=0.0)
    assert "seven cups" not in kettle.run("how many cups")
    assert "seven cups" in teapot.run("how many cups")
    assert "seven cups" in both.run("cups", docs_url=other.url)
    assert "seven cups" not in both.run("cups", docs_url=site.url)


def test_a_collection_of_its_own_is_kept_apart_and_found_again(site: Any, store: str, adapter: Make) -> None:
    DocsSearch(site.url, adapter())
    DocsSearch(site.url, adapter(collection_name="kitchen"))
    with Library(store) as library:
        slugs = [source.slug for source in library.sources()]
    assert len(slugs) == 2
    assert slugs[1].startswith("kitchen-")
    fetched = list(site.seen)
    assert "once a month" in DocsSearch(site.url, adapter(collection_name="kitchen")).run("descale once a month")
    assert site.seen == fetched


def test_after_a_change_only_the_new_value_is_returned(tmp_path: Path, adapter: Make) -> None:
    page = tmp_path / "limits.md"
    tool = DocsSearch(None, adapter(), similarity_threshold=0.0)
    for value in (17, 23, 41):
        page.write_text(f"# Limits\n\nThe limit is {value} requests.\n", "utf-8")
        answer = tool.run("limit requests", docs_url=str(page))
        assert re.findall(r"limit is (\d+)", answer) == [str(value)]


def test_a_site_that_changed_is_compared_once_it_is_stale(site: Any, store: str, tmp_path: Path) -> None:
    private = (f"127.0.0.1:{site.port}",)
    settings = Settings(store=store, allow_private=private, delay_s=0.0, max_age_s=0.0)
    place = Place(lambda: Library(settings=settings), private, 0.0, ())
    tool = DocsSearch(None, LibraryAdapter(place), similarity_threshold=0.0, max_age_s=0.0)
    assert "once a month" in tool.run("descale once", docs_url=site.url)
    site.pages["/docs/descale.html"] = site.pages["/docs/descale.html"].replace("once a month", "once a year")
    answer = tool.run("descale once", docs_url=site.url)
    assert "once a year" in answer
    assert "once a month" not in answer


def test_no_environment_variable_turns_the_checks_off(adapter: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CREWAI_TOOLS_ALLOW_UNSAFE_PATHS", "PINCITE_ALLOW_UNSAFE", "ALLOW_UNSAFE"):
        monkeypatch.setenv(name, "true")
    for location in ("http://127.0.0.1:1/", "/etc/passwd", "file:///etc/passwd"):
        with pytest.raises(ValueError, match="Blocked unsafe"):
            adapter().add(url=location)


def test_a_page_that_leads_to_a_private_address_is_blocked(site: Any, adapter: Make) -> None:
    site.pages.clear()
    with pytest.raises(ValueError, match="Unable to fetch documentation from"):
        adapter().add(site.url)


def test_the_navigation_of_a_page_can_be_followed(site: Any, store: str, adapter: Make) -> None:
    DocsSearch(site.url, adapter())
    with Library(store) as library:
        ref = next(h.ref for h in library.held() if h.url == site.url)
        found = reading(library, ref)
    assert found.title == "Kettle"
    assert [words for _, words in found.contents] == ["Kettle", "Schedules"]
    assert found.related == (("Descaling", f"{site.url}descale.html"),)
    assert f"/docs/{found.related[0][1].rpartition('/')[2]}" in site.seen


def test_tools_of_several_threads_do_not_mix_their_answers(site: Any, other: Any, adapter: Make) -> None:
    tools = [DocsSearch(site.url, adapter(), similarity_threshold=0.0), DocsSearch(other.url, adapter(), similarity_threshold=0.0)]
    wrong: list[str] = []

    def ask(number: int) -> None:
        for _ in range(5):
            answer = tools[number % 2].run("cups schedule")
            if ("seven cups" in answer) is not (number % 2 == 1):
                wrong.append(answer)

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_default_place_is_the_users_library_and_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pincite.integrations.docs_tool import default_place

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("PINCITE_STORE", raising=False)
    monkeypatch.chdir(tmp_path)
    place = default_place()
    assert place.roots == (tmp_path.resolve(),)
    with place.open() as library:
        assert library.place == str(tmp_path / "pincite" / "library.db")
