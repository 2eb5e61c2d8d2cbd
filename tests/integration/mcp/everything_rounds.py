"""Results that ask the client for something first (protocol 2026-07-28): what each of the fixture's tools asks, round by round.

In: a call's params. Out: what the client must be asked, or None when all answers are there. State is sealed; a changed one is refused.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Any

from pincite.serve.mcp_sdk import INVALID_PARAMS, RpcError

Json = dict[str, Any]
KEY = secrets.token_bytes(32)


def ask_name(key: str = "user_name") -> Json:
    wanted = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    return {key: {"method": "elicitation/create", "params": {"mode": "form", "message": "What is your name?", "requestedSchema": wanted}}}


def ask_model(key: str = "capital_question") -> Json:
    message = {"role": "user", "content": {"type": "text", "text": "What is the capital of France?"}}
    return {key: {"method": "sampling/createMessage", "params": {"messages": [message], "maxTokens": 100}}}


def ask_roots(key: str = "client_roots") -> Json:
    return {key: {"method": "roots/list", "params": {}}}


def ask_ok(key: str = "confirm") -> Json:
    wanted = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}
    return {key: {"method": "elicitation/create", "params": {"mode": "form", "message": "Go on?", "requestedSchema": wanted}}}


def sealed(words: str) -> str:
    return words + "." + hmac.new(KEY, words.encode(), hashlib.sha256).hexdigest()


def opened(state: str | None) -> str | None:
    if state is None:
        return None
    words, _, seal = state.rpartition(".")
    if not hmac.compare_digest(sealed(words), f"{words}.{seal}"):
        raise RpcError(INVALID_PARAMS, "requestState was not made by this server.")
    return words


ROUNDS: dict[str, list[tuple[Json, bool]]] = {
    "test_input_required_result_elicitation": [(ask_name(), False)],
    "test_input_required_result_sampling": [(ask_model(), False)],
    "test_input_required_result_list_roots": [(ask_roots(), False)],
    "test_input_required_result_request_state": [(ask_ok(), True)],
    "test_input_required_result_multiple_inputs": [({**ask_name(), **ask_model("greeting"), **ask_roots()}, True)],
    "test_input_required_result_multi_round": [(ask_name("step1"), True), (ask_name("step2"), True)],
    "test_input_required_result_tampered_state": [(ask_ok(), True)],
    "test_input_required_result_capabilities": [({**ask_name(), **ask_model(), **ask_roots()}, False)],
    "test_input_required_result_prompt": [(ask_name("user_context"), False)],
    "test_streaming_elicitation": [(ask_name(), False)],
}


def in_rounds(name: str, params: Json) -> Json | None:
    """Return what the client must be asked in this round, or None when all answers are there."""
    steps, given = ROUNDS[name], params.get("inputResponses")
    state = opened(params.get("requestState"))
    at = int(state.split(":")[1]) if state else 0
    wanted, stateful = steps[at]
    if name.endswith("capabilities"):
        able = (params.get("_meta") or {}).get("io.modelcontextprotocol/clientCapabilities", {})
        wanted = {key: ask for key, ask in wanted.items() if ask["method"].split("/")[0] in able}
    if isinstance(given, dict) and all(isinstance(given.get(key), dict) for key in wanted):
        at += 1
        if at == len(steps):
            return None
        wanted, stateful = steps[at]
    elif isinstance(given, dict) and any(not isinstance(value, dict) for value in given.values()):
        raise RpcError(INVALID_PARAMS, "inputResponses must hold objects.")
    asked: Json = {"resultType": "input_required", "inputRequests": wanted}
    return asked | ({"requestState": sealed(f"step:{at}")} if stateful else {})
