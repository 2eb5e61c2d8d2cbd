"""The tools as clients see them."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from pincite.errors import UsageError
from pincite.serve import mcp, mcp_prompts
from pincite.serve.mcp_schemas import TOOLS, Tool, listed

NAMES = ["ask", "answer", "get_passage", "list_sources", "add_source", "job_status", "verify"]
TOOL = {tool.name: tool for tool in TOOLS}


def test_there_are_the_seven_tools() -> None:
    assert [tool["name"] for tool in listed()] == NAMES


def test_all_schemas_together_stay_under_eight_kilobytes() -> None:
    assert len(json.dumps({"tools": listed()}).encode()) < 8000


@pytest.mark.parametrize("tool", TOOLS, ids=NAMES)
def test_every_property_has_a_description_and_a_type(tool: Tool) -> None:
    for name, schema in tool.properties.items():
        assert schema["description"].strip(), name
        assert schema["type"], name


@pytest.mark.parametrize("tool", TOOLS, ids=NAMES)
def test_schemas_are_valid_and_closed_to_unknown_arguments(tool: Tool) -> None:
    wire = tool.wire()
    for schema in (wire["inputSchema"], wire["outputSchema"]):
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
    assert wire["inputSchema"]["additionalProperties"] is False
    assert set(wire["inputSchema"].get("required", [])) <= set(tool.properties)


@pytest.mark.parametrize("tool", TOOLS, ids=NAMES)
def test_annotations_say_that_only_add_source_changes_anything(tool: Tool) -> None:
    told = tool.wire()["annotations"]
    assert told["readOnlyHint"] is (tool.name != "add_source")
    assert told["destructiveHint"] is False
    assert told["openWorldHint"] is (tool.name == "add_source")


def test_ask_tells_assistants_always_to_send_a_query() -> None:
    assert "Always send `query`" in TOOL["ask"].description
    assert TOOL["ask"].properties["max_results"]["default"] == 20
    assert TOOL["ask"].properties["score_ratio"]["default"] == 0.5
    assert TOOL["ask"].properties["max_tokens"]["default"] == 6000


def test_every_prompt_argument_and_template_has_a_description() -> None:
    for prompt in mcp_prompts.PROMPTS:
        assert prompt["description"]
        assert all(argument["description"] for argument in prompt["arguments"])
    assert all(template["description"] for template in mcp_prompts.TEMPLATES)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("ask", {"query": "x", "max_results": 0}),
        ("ask", {"query": "x", "score_ratio": 1.5}),
        ("ask", {"query": "x", "context_type": "video"}),
        ("ask", {"query": "x", "surprise": 1}),
        ("ask", {"query": 5}),
        ("answer", {}),
        ("get_passage", {"id": "psg_1", "start": -1}),
        ("job_status", {"job": "j", "wait_s": 3600}),
        ("verify", {"quotes": []}),
        ("verify", {"quotes": ["a", 1]}),
    ],
    ids=["none", "ratio", "type", "unknown", "number", "no query", "negative", "long wait", "no quotes", "no string"],
)
def test_arguments_out_of_range_or_unknown_are_refused_by_name(name: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=name):
        mcp.valid(TOOL[name], arguments)


def test_an_argument_that_is_null_counts_as_left_out() -> None:
    assert mcp.valid(TOOL["ask"], {"query": "x", "source": None}) == {"query": "x"}


@pytest.mark.parametrize(("name", "arguments"), [("nope", {}), ("cited_answer", {}), ("cited_answer", {"question": " "})])
def test_an_unknown_prompt_or_a_missing_argument_is_refused(name: str, arguments: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        mcp_prompts.prompt(name, arguments)


def test_a_prompt_argument_is_put_in_once_and_never_read_as_a_pattern() -> None:
    made = mcp_prompts.prompt("cited_answer", {"question": "what is {question} and {text}?"})
    assert made["messages"][0]["content"]["text"].endswith("Question: what is {question} and {text}?")
