"""The `/v1` routes: search, answers, sources and their jobs, snapshots, citations, marks, hooks, and what operators read."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel
from starlette.testclient import TestClient

from pincite.library import Library
from pincite.serve import shapes
from pincite.serve.signatures import signature

HOOK_SECRET = "tidepool-hooks-are-signed-with-this-one-0123456789"


def ended(client: TestClient, id: str) -> dict[str, Any]:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        job: dict[str, Any] = client.get(f"/v1/jobs/{id}").json()
        if job["state"] in ("done", "failed", "cancelled"):
            return job
        time.sleep(0.05)
    raise AssertionError("the job did not end")


def events(text: str) -> list[tuple[str, Any]]:
    found = []
    for block in text.strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        found.append((fields["event"], json.loads(fields["data"])))
    return found


@pytest.mark.parametrize(
    ("path", "shape"),
    [
        ("/ask?query=cache", shapes.Asked),
        ("/ask", shapes.Asked),
        ("/v1/search?query=cache", shapes.Found),
        ("/v1/search?query=cache&explain=true&neighbors=2&max_tokens=900", shapes.Found),
        ("/v1/sources", shapes.Sources),
        ("/v1/sources/tidepool-docs", shapes.Source),
        ("/health", shapes.Health),
        ("/ready", shapes.Ready),
    ],
)
def test_answers_have_the_documented_shape(client: TestClient, path: str, shape: type[BaseModel]) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    shape.model_validate(answer.json(), strict=True)


def test_an_answer_has_the_documented_shape_and_its_citations_can_be_looked_up(client: TestClient) -> None:
    made = client.post("/v1/answers", json={"question": "How do I bypass the cache?"}).json()
    shapes.Answer.model_validate(made, strict=True)
    assert made["citations"]
    assert "[^1]" in made["markdown"]
    cited = made["citations"][0]
    held = client.get(f"/v1/citations/{cited['id']}").json()
    assert (held["id"], held["quote"]["text"]) == (cited["id"], cited["quote"]["text"])
    shapes.Capture.model_validate(client.get(f"/v1/snapshots/{cited['ref']}").json(), strict=True)


def test_an_answer_as_events_is_its_text_and_then_the_whole(client: TestClient) -> None:
    answer = client.post("/v1/answers", json={"question": "How do I bypass the cache?"}, headers={"Accept": "text/event-stream"})
    told = events(answer.text)
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert [name for name, _ in told] == ["text"] * (len(told) - 1) + ["answer"]
    assert "".join(data["text"] for _, data in told[:-1]) == told[-1][1]["markdown"]


def test_an_error_in_a_stream_is_an_event(client: TestClient) -> None:
    body = {"question": "cache", "source": ["nowhere"]}
    told = events(client.post("/v1/answers", json=body, headers={"Accept": "text/event-stream"}).text)
    assert [(name, data["status"]) for name, data in told] == [("error", 404)]


def test_a_question_without_evidence_is_answered_by_abstaining(client: TestClient) -> None:
    made = client.post("/v1/answers", json={"question": "Who won the regatta of 1913?"}).json()
    assert made["abstained"] is True
    assert made["citations"] == []


@pytest.mark.parametrize(
    "path",
    [
        "/v1/sources/nowhere",
        "/v1/jobs/job_none",
        "/v1/jobs/job_none/events",
        "/v1/snapshots/REF-000000",
        "/v1/snapshots/REF-000000/html",
        "/v1/snapshots/REF-000000/markdown",
        "/v1/passages/psg_none",
        "/v1/citations/cit_none",
        "/v1/models/another",
        "/nowhere",
    ],
)
def test_an_unknown_id_is_404(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")


@pytest.mark.parametrize(
    "path", ["/v1/sources?x=1", "/v1/search?query=a&x=1", "/v1/models?x=1", "/metrics?x=1", "/v1/snapshots/REF-000000?x=1"]
)
def test_unknown_parameters_are_refused(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 422


def test_an_archived_page_can_run_and_load_nothing(client: TestClient) -> None:
    hit = client.get("/v1/search?query=cache&kind=doc").json()["passages"][0]
    page = client.get(f"/v1/snapshots/{hit['ref']}/html")
    assert page.headers["content-security-policy"] == "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'"
    assert (page.headers["x-content-type-options"], page.headers["referrer-policy"]) == ("nosniff", "no-referrer")
    assert client.get(f"/v1/snapshots/{hit['ref']}/html", headers={"If-None-Match": page.headers["etag"]}).status_code == 304
    text = client.get(f"/v1/snapshots/{hit['ref']}/markdown")
    assert text.headers["content-type"] == "text/markdown; charset=utf-8"
    assert text.text[hit["start"] : hit["end"]] == hit["text"]


def test_a_passage_is_shown_by_its_id(client: TestClient) -> None:
    hit = client.get("/v1/search?query=cache&kind=doc").json()["passages"][0]
    assert client.get(f"/v1/passages/{hit['id']}").json()["text"] == hit["text"]


@pytest.fixture
def local(connect: Callable[..., TestClient], own_store: Path, tmp_path: Path) -> TestClient:
    return connect(store=str(own_store), security_local_roots=(str(tmp_path),))


def test_a_source_is_captured_by_a_job_and_removed_at_once(local: TestClient, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "tides.md").write_text("# Tides\n\nSpring tides come with the full moon.\n")
    queued = local.post("/v1/sources", json={"location": str(tmp_path / "more"), "name": "tides"})
    assert queued.status_code == 202
    shapes.Job.model_validate(queued.json(), strict=True)
    job = ended(local, queued.json()["id"])
    assert (job["state"], job["result"]["fetched"], job["error"]) == ("done", 1, None)
    assert queued.headers["location"] == f"/v1/jobs/{job['id']}"
    assert local.get("/ask?query=spring tides").json()["doc_results"][0]["source"] == "tides"
    removed = local.delete("/v1/sources/tides")
    assert removed.json() == {"source": "tides", "pages": 1, "purged": False}
    assert all(hit["source"] != "tides" for hit in local.get("/ask?query=spring tides").json()["doc_results"])
    assert local.delete("/v1/sources/nowhere").status_code == 404


def test_a_job_tells_its_events_from_any_number_on(local: TestClient, tmp_path: Path) -> None:
    id = local.post("/v1/sources", json={"location": str(tmp_path / "docs"), "name": "again"}).json()["id"]
    ended(local, id)
    told = events(local.get(f"/v1/jobs/{id}/events").text)
    assert [name for name, _ in told if name != "progress"] == ["queued", "started", "done"]
    rest = events(local.get(f"/v1/jobs/{id}/events", headers={"Last-Event-ID": "1"}).text)
    assert rest == told[1:]


def test_a_capture_that_fails_is_a_failed_job_with_its_problem(local: TestClient, tmp_path: Path) -> None:
    job = ended(local, local.post("/v1/sources", json={"location": str(tmp_path / "not-there")}).json()["id"])
    assert job["state"] == "failed"
    assert job["error"]["detail"]


def test_an_address_inside_is_refused_by_the_guard(local: TestClient) -> None:
    job = ended(local, local.post("/v1/sources", json={"location": "http://127.0.0.1:8080/", "scope": "page"}).json()["id"])
    assert job["state"] in ("done", "failed")
    if job["state"] == "done":
        assert job["result"]["fetched"] == 0
        assert "address" in job["result"]["failed"]


def test_the_same_key_is_the_same_job_and_never_another(local: TestClient, tmp_path: Path) -> None:
    body, key = {"location": str(tmp_path / "docs"), "name": "keyed"}, {"Idempotency-Key": "k-1"}
    first, second = (local.post("/v1/sources", json=body, headers=key) for _ in range(2))
    assert (first.status_code, second.status_code, second.json()["id"]) == (202, 202, first.json()["id"])
    other = local.post("/v1/sources", json=body | {"name": "other"}, headers=key)
    assert (other.status_code, other.json()["rule"]) == (409, "idempotency")


def test_a_mark_is_kept_and_shown(connect: Callable[..., TestClient], own_store: Path) -> None:
    client = connect(store=str(own_store))
    ref = client.get("/v1/search?query=proxy").json()["passages"][0]["ref"]
    assert client.post("/v1/marks", json={"ref": ref, "mark": "expired", "why": "moved"}).json() == {"ref": ref, "mark": "expired"}
    assert client.get(f"/v1/snapshots/{ref}").json()["mark"] == "expired"


def delivered(client: TestClient, body: bytes, id: str, at: float | None = None, secret: str = HOOK_SECRET) -> Any:
    moment = str(int(at if at is not None else time.time()))
    signed = signature(secret.encode(), id, moment, body)
    return client.post(
        "/v1/hooks/capture", content=body, headers={"webhook-id": id, "webhook-timestamp": moment, "webhook-signature": signed}
    )


def test_a_signed_delivery_captures_its_source_once(connect: Callable[..., TestClient], own_store: Path, tmp_path: Path) -> None:
    client = connect(store=str(own_store))
    (tmp_path / "docs" / "new.md").write_text("# Neap tides\n\nNeap tides come at half moon.\n")
    body = b'{"source": "tidepool-docs"}'
    first = delivered(client, body, "msg_1")
    assert first.status_code == 202
    assert ended(client, first.json()["id"])["result"]["fetched"] == 1
    assert (delivered(client, body, "msg_1").status_code, delivered(client, body, "msg_2").status_code) == (409, 202)


@pytest.mark.parametrize(
    ("body", "at", "secret", "status"),
    [
        pytest.param(b'{"source": "tidepool-docs"}', 1000.0, HOOK_SECRET, 401, id="late"),
        pytest.param(b'{"source": "tidepool-docs"}', None, "x" * 40, 401, id="another key"),
        pytest.param(b'{"source": "nowhere"}', None, HOOK_SECRET, 404, id="unknown source"),
        pytest.param(b'{"url": "http://169.254.169.254/"}', None, HOOK_SECRET, 422, id="an address"),
        pytest.param(b"nothing", None, HOOK_SECRET, 422, id="no JSON"),
    ],
)
def test_other_deliveries_are_refused(client: TestClient, body: bytes, at: float | None, secret: str, status: int) -> None:
    assert delivered(client, body, "msg_" + str(status), at, secret).status_code == status


def test_without_a_secret_no_delivery_is_accepted(connect: Callable[..., TestClient]) -> None:
    client = connect(security_hook_secret="")
    assert delivered(client, b'{"source": "tidepool-docs"}', "msg_1", secret="").status_code == 401


def test_figures_count_requests_by_route_and_never_by_address(client: TestClient) -> None:
    client.get("/ask?query=cache")
    client.get("/v1/snapshots/REF-000000")
    client.get("/some/random/path")
    text = client.get("/metrics").text
    assert 'pincite_http_requests_total{method="GET",route="/ask",status="200"}' in text
    assert 'route="/v1/snapshots/{ref}",status="404"' in text
    assert 'route="other",status="404"' in text
    assert "random" not in text


def test_every_answer_has_a_request_id_and_the_log_has_it_too(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "pincite.http"):
        answer = client.get("/ask?query=hush", headers={"X-Request-ID": "req-12345678"})
        other = client.get("/ask?query=hush", headers={"X-Request-ID": "bad id\twith\tblanks"})
    assert answer.headers["x-request-id"] == "req-12345678"
    assert other.headers["x-request-id"] != "bad id\twith\tblanks"
    facts = [record.facts for record in caplog.records if hasattr(record, "facts")]
    assert [(f["request_id"], f["path"], f["status"]) for f in facts[:1]] == [("req-12345678", "/ask", 200)]
    assert "hush" not in str(facts)


def test_a_store_that_vanishes_makes_the_server_unready_but_not_dead(connect: Callable[..., TestClient], tmp_path: Path) -> None:
    (tmp_path / "broken.db").write_bytes(b"no library at all" * 50)
    client = connect(store=str(tmp_path / "broken.db"))
    assert (client.get("/health").status_code, client.get("/ready").status_code) == (200, 503)


def test_a_change_made_elsewhere_is_seen_by_the_next_read(connect: Callable[..., TestClient], own_store: Path, tmp_path: Path) -> None:
    client = connect(store=str(own_store))
    assert client.get("/ask?query=neap tides").json()["doc_results"] == []
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "neap.md").write_text("# Neap tides\n\nNeap tides come at half moon.\n")
    with Library(str(own_store)) as library:
        library.add(str(tmp_path / "more"), name="more")
        assert client.get("/ask?query=neap tides").json()["doc_results"][0]["source"] == "more"
        library.remove("more")
        assert client.get("/ask?query=neap tides").json()["doc_results"] == []
