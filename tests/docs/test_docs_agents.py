"""The pages for assistants: snippets that parse, and the tools as the code has them."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from pathlib import Path

import pytest

from pincite.serve import mcp_prompts
from pincite.serve.mcp_schemas import TOOLS

DOCS = Path(__file__).parents[2] / "docs"
HOW_TO = (DOCS / "how-to" / "agents.md").read_text("utf-8")
REFERENCE = (DOCS / "reference" / "mcp.md").read_text("utf-8")
SNIPPETS = re.findall(r"^```(\w+)\n(.*?)^```$", HOW_TO, re.M | re.S)
READERS = {"json": json.loads, "toml": tomllib.loads, "python": ast.parse, "sh": str}
SERVERS = ("mcpServers", "servers", "context_servers", "mcp_servers")


@pytest.mark.parametrize(("language", "text"), SNIPPETS, ids=[f"{i}-{language}" for i, (language, _) in enumerate(SNIPPETS)])
def test_every_snippet_parses(language: str, text: str) -> None:
    READERS[language](text)


def test_every_client_starts_pincite_or_calls_its_address() -> None:
    seen = 0
    for language, text in SNIPPETS:
        if language not in ("json", "toml"):
            continue
        config = READERS[language](text)
        for servers in (config[name] for name in SERVERS if name in config):
            for server in servers.values():
                seen += 1
                address = server.get("url") or server.get("serverUrl") or server.get("httpUrl")
                started = (server.get("command"), server.get("args")) == ("pincite", ["mcp"])
                assert started or address == "http://127.0.0.1:8000/mcp"
    assert seen >= 8


@pytest.mark.parametrize("client", ["Claude Desktop", "Claude Code", "Cursor", "VS Code", "Windsurf", "Zed", "Codex CLI", "Gemini CLI"])
def test_each_well_known_client_has_its_section(client: str) -> None:
    assert f"\n## {client}\n" in HOW_TO


def test_the_reference_lists_the_tools_with_their_arguments() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| ?([^|]*)\|$", REFERENCE, re.M)
    told = {name: (title.strip(), re.findall(r"`(\w+)`", arguments)) for name, title, arguments in rows}
    assert told == {tool.name: (tool.title, list(tool.properties)) for tool in TOOLS}


def test_the_reference_names_every_prompt_and_resource() -> None:
    for prompt in mcp_prompts.PROMPTS:
        assert f"`{prompt['name']}`" in REFERENCE
    for template in mcp_prompts.TEMPLATES:
        assert f"`{template['uriTemplate'].split('{')[0]}" in REFERENCE


def test_python_snippets_name_what_is_there() -> None:
    for _, text in (pair for pair in SNIPPETS if pair[0] == "python"):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and node.module:
                source = Path(__file__).parents[2] / "src" / (node.module.replace(".", "/") + ".py")
                defined = {n.name for n in ast.parse(source.read_text("utf-8")).body if isinstance(n, ast.ClassDef | ast.FunctionDef)}
                assert {alias.name for alias in node.names} <= defined
