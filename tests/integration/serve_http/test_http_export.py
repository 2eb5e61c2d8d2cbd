"""Corpora over HTTP: `llms.txt`, `llms-full.txt`, pages as Markdown, `/v1/export`."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from pincite.library import Library

SECRET = "tidepool-tests-sign-with-this-secret-of-64-bytes-0123456789abcdef"


def test_every_link_of_llms_txt_leads_to_the_page_as_markdown(client: TestClient) -> None:
    listed = client.get("/llms.txt")
    assert listed.headers["content-type"].startswith("text/plain")
    assert listed.text.startswith("# Pincite\n\n> ")
    assert re.findall(r"^## (.+)$", listed.text, re.M) == ["tidepool-code", "tidepool-docs"]
    links = re.findall(r"^- \[(.+?)\]\((.+?)\)", listed.text, re.M)
    assert len(links) == 7
    for title, address in links:
        page = client.get(address)
        assert page.status_code == 200
        assert page.headers["content-type"] == "text/markdown; charset=utf-8"
        assert page.text.startswith(f"# {title}\n\nSource: ")
        assert re.search(r"^Captured: \S+Z REF-\w+$", page.text, re.M)


def test_llms_full_holds_every_page_whole(client: TestClient) -> None:
    text = client.get("/llms-full.txt").text
    for words in ("要绕过缓存", "Call `clear_cache()`", "class BrowserConfig", "self.fields[119]"):
        assert words in text
    assert len(re.findall(r"^Captured: ", text, re.M)) == 7


@pytest.mark.parametrize(("kind", "files"), [("doc", 5), ("code", 2)])
def test_an_exported_corpus_reads_back_to_the_same_documents(client: TestClient, tmp_path: Path, kind: str, files: int) -> None:
    text = client.get(f"/v1/export?kind={kind}&source=tidepool-{kind + 's' if kind == 'doc' else kind}").text
    assert text.count("## File: ") == files
    (tmp_path / f"tidepool-{kind}-context.md").write_text(text, "utf-8")
    with Library(str(tmp_path / "again.db")) as library:
        assert library.add(str(tmp_path / f"tidepool-{kind}-context.md")).documents == files


@pytest.mark.parametrize(
    ("address", "status"),
    [
        pytest.param("/v1/export?format=llms-txt&source=tidepool-docs", 200, id="one source"),
        pytest.param("/v1/export?format=llms-full", 200, id="full"),
        pytest.param("/v1/export?source=nobody", 404, id="unknown source"),
        pytest.param("/v1/export?kind=code&source=tidepool-docs", 404, id="none of the kind"),
        pytest.param("/v1/export?as_of=2001-01-01", 404, id="before there was anything"),
        pytest.param("/v1/export?format=pdf", 422, id="unknown format"),
        pytest.param("/v1/export?colour=red", 422, id="unknown parameter"),
        pytest.param("/llms.txt?query=x", 422, id="llms.txt takes none"),
        pytest.param("/r/REF-000000.md", 404, id="unknown capture"),
    ],
)
def test_what_can_be_exported(client: TestClient, address: str, status: int) -> None:
    answer = client.get(address)
    assert answer.status_code == status, answer.text
    if status != 200:
        assert answer.headers["content-type"].startswith("application/problem+json")


@pytest.mark.parametrize("address", ["/llms.txt", "/llms-full.txt", "/v1/export"])
def test_an_unchanged_corpus_is_not_sent_again(client: TestClient, address: str) -> None:
    tag = client.get(address).headers["etag"]
    again = client.get(address, headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")


def test_the_archived_page_names_its_markdown(client: TestClient) -> None:
    ref = client.get("/ask?query=cache").json()["doc_results"][0]["ref"]
    link = client.get(f"/v1/snapshots/{ref}/html").headers["link"]
    assert link == f'</r/{ref}.md>; rel="alternate"; type="text/markdown"'


def test_a_page_that_asks_for_no_copies_is_left_out_for_callers_with_tokens(
    connect: Callable[..., TestClient], mint: Callable[..., str], tmp_path: Path
) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "open.html").write_text("<title>Open</title><h1>Open</h1><p>Anyone may read the tide table.</p>", "utf-8")
    (folder / "shut.html").write_text(
        '<meta name="robots" content="noarchive"><title>Shut</title><h1>Shut</h1><p>The harbour log stays here.</p>', "utf-8"
    )
    with Library(str(tmp_path / "own.db")) as library:
        library.add(str(folder), name="pages")
        shut = next(h.ref for h in library.held() if h.path.endswith("shut.html"))
        assert "noarchive" in library.document(shut).flags
    mine = connect(store=str(tmp_path / "own.db"))
    theirs = connect(store=str(tmp_path / "own.db"), security_jwt_enabled=True, security_secret=SECRET)
    theirs.headers["Authorization"] = f"Bearer {mint('read')}"
    for address in ("/llms.txt", "/llms-full.txt", "/v1/export"):
        assert "Shut" in mine.get(address).text
        assert "Shut" not in theirs.get(address).text
        assert "Open" in theirs.get(address).text
    assert mine.get(f"/r/{shut}.md").status_code == 200
    assert theirs.get(f"/r/{shut}.md").status_code == 403
