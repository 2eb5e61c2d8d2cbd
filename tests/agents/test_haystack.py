"""The retriever in the real Haystack."""

from __future__ import annotations

import pytest

pytest.importorskip("haystack")

from haystack import Pipeline

from pincite.integrations.haystack import PinciteRetriever


def test_the_component_runs_in_a_pipeline_and_can_be_stored(kettle: str) -> None:
    pipeline = Pipeline()
    pipeline.add_component("pincite", PinciteRetriever.from_dict(PinciteRetriever(kettle, top_k=2).to_dict()))
    assert "PinciteRetriever" in pipeline.dumps()
    found = pipeline.run({"pincite": {"query": "cron expression"}})["pincite"]["documents"]
    assert "cron expression" in found[0].content
    assert found[0].meta["ref"].startswith("REF-")
