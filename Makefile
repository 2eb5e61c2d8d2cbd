# Everything a newcomer or a machine does with this repository. `make` alone prints this list.
SHELL := /bin/bash
PYTHON ?= python3
VENV ?= .venv
SHARED ?= ../shared
URL ?=
ASK ?=
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help quickstart test test-llm check quick-gates gates bench reference test-mcp test-agents test-vectors clean

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## */\1\t/' | expand -t 14

$(STAMP): pyproject.toml
	@scripts/prepare.sh "$(PYTHON)" "$(VENV)"
	@touch $@

quickstart: ## two cited answers in two minutes; URL=https://… ASK="…" for your own docs
	@scripts/prepare.sh "$(PYTHON)" "$(VENV)" bare
	@$(BIN)/python scripts/quickstart.py --url "$(URL)" --ask "$(ASK)"

test: $(STAMP) ## the whole suite in an environment of its own
	@scripts/system.sh
	$(BIN)/python -m pytest

test-llm: $(STAMP) ## the tests that need a real model: fetches one of 98 MB and serves it on loopback
	scripts/llm.sh $(BIN)/python .llm

check: $(STAMP) ## format, lint, types, import contracts, examples of the docs
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest tests/docs tests/architecture

quick-gates: $(STAMP) ## the gold sets that take minutes, with their floors: make quick-gates SHARED=../shared
	@set -e; shopt -s nullglob; for gate in evals/gate_*.py; do echo "== $$gate"; $(BIN)/python $$gate "$(SHARED)"; done

gates: quick-gates ## these and whole documentation sites of Debian's packages: make gates SHARED=../shared
	$(BIN)/python evals/long_questions.py "$(SHARED)"
	$(BIN)/python evals/long_chunking.py "$(SHARED)"
	$(BIN)/python evals/long_sites.py

bench: $(STAMP) ## figures of speed and size: make bench SHARED=../shared
	@set -e; shopt -s nullglob; for script in benchmarks/*.py; do echo "== $$script"; $(BIN)/python $$script "$(SHARED)"; done

reference: $(STAMP) ## write docs/reference/cli.md anew from --help
	$(BIN)/python scripts/reference.py

test-mcp: $(STAMP) ## both SDKs, the conformance suite and the Inspector against the MCP server
	$(BIN)/python scripts/mcp_suite.py

test-agents: $(STAMP) ## our tools in the real CrewAI, LangChain, LlamaIndex and Haystack
	$(BIN)/python scripts/agents_suite.py

test-vectors: $(STAMP) ## the vector stores' contract with real Chroma, Qdrant and pgvector behind it, and a real embedder
	$(BIN)/python scripts/vectors_suite.py

clean: ## remove what these commands made
	rm -rf $(VENV) .quickstart dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
