"""A server with one of everything the protocol has, over our own transport code: what the conformance suite calls.

Run it: `python mcp_everything.py PORT`. It serves MCP at `/mcp` on 127.0.0.1.
"""

from __future__ import annotations

import base64
import importlib
import json
import struct
import sys
import warnings
import zlib
from typing import Any

import anyio
from everything_rounds import ROUNDS, in_rounds

from pincite.serve.mcp_http import McpApp
from pincite.serve.mcp_sdk import INVALID_PARAMS, NOT_FOUND, Call, Guard, RpcError, Surface, generation

Json = dict[str, Any]
MISSING_CAPABILITY = -32021
SCHEMA_2020 = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


def png() -> str:
    """Return one red pixel."""

    def part(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    body = zlib.compress(b"\x00\xff\x00\x00")
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", body) + part(b"IEND", b"")).decode()


def wav() -> str:
    """Return four silent samples."""
    data = b"\x80" * 4
    head = b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 8000, 1, 8)
    return base64.b64encode(head + b"data" + struct.pack("<I", len(data)) + data).decode()


IMAGE = {"type": "image", "data": png(), "mimeType": "image/png"}


def text(words: str, **more: Any) -> Json:
    return {"content": [{"type": "text", "text": words}], **more}


def embedded(uri: str, mime: str, words: str) -> Json:
    return {"type": "resource", "resource": {"uri": uri, "mimeType": mime, "text": words}}


STILL: dict[str, Json] = {
    "test_simple_text": text("This is a simple text response for testing."),
    "test_image_content": {"content": [IMAGE]},
    "test_audio_content": {"content": [{"type": "audio", "data": wav(), "mimeType": "audio/wav"}]},
    "test_embedded_resource": {"content": [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")]},
    "test_multiple_content_types": {
        "content": [
            {"type": "text", "text": "Multiple content types test:"},
            IMAGE,
            embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
        ]
    },
    "test_error_handling": text("This tool intentionally returns an error for testing", isError=True),
    "json_schema_2020_12_tool": text("ok"),
}
ARGUMENTS: dict[str, Json] = {
    "test_sampling": {"prompt": {"type": "string"}},
    "test_elicitation": {"message": {"type": "string"}},
    "test_x_mcp_header": {
        "region": {"type": "string", "x-mcp-header": "Region"},
        "priority": {"type": "integer", "x-mcp-header": "Priority"},
        "verbose": {"type": "boolean", "x-mcp-header": "Verbose"},
    },
}


async def log(call: Call, words: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pending = call.sdk.session.send_log_message("info", words, related_request_id=call.sdk.request_id)
    await pending


async def ask_client(call: Call, request: str, result: str, params: Json) -> Json:
    """Send a request of our own to the client, on the stream of the call."""
    types = importlib.import_module("mcp.types")
    messages = importlib.import_module("mcp.shared.message")
    made = getattr(types, request).model_validate({"method": METHODS[request], "params": params})
    if generation() < 2:
        made = types.ServerRequest(made)
    meta = messages.ServerMessageMetadata(related_request_id=call.sdk.request_id)
    answer = await call.sdk.session.send_request(made, getattr(types, result), metadata=meta)
    return dict(answer.model_dump(by_alias=True, mode="json", exclude_none=True))


METHODS = {"CreateMessageRequest": "sampling/createMessage", "ElicitRequest": "elicitation/create"}


async def with_logging(call: Call, arguments: Json) -> Json:
    for words in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await log(call, words)
        await anyio.sleep(0.05)
    return text("Logged three messages.")


async def with_progress(call: Call, arguments: Json) -> Json:
    for done in (0, 50, 100):
        await call.progress(done, 100)
        await anyio.sleep(0.05)
    return text("Told of its progress.")


async def sampling(call: Call, arguments: Json) -> Json:
    message = {"role": "user", "content": {"type": "text", "text": arguments["prompt"]}}
    answer = await ask_client(call, "CreateMessageRequest", "CreateMessageResult", {"messages": [message], "maxTokens": 100})
    return text(f"LLM response: {answer['content'].get('text', '')}")


async def elicitation(call: Call, arguments: Json) -> Json:
    wanted = {
        "type": "object",
        "properties": {
            "username": {"type": "string", "description": "User's response"},
            "email": {"type": "string", "description": "User's email address"},
        },
        "required": ["username", "email"],
    }
    return await _elicited(call, arguments["message"], wanted, "User response: ")


async def defaults(call: Call, arguments: Json) -> Json:
    wanted = {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": True},
    }
    return await _elicited(call, "Please confirm.", {"type": "object", "properties": wanted}, "Elicitation completed: ")


async def enums(call: Call, arguments: Json) -> Json:
    plain = ["option1", "option2", "option3"]

    def titled(kind: str) -> list[Json]:
        return [{"const": f"value{i}", "title": f"{name} {kind}"} for i, name in enumerate(("First", "Second", "Third"), 1)]

    wanted = {
        "untitledSingle": {"type": "string", "enum": plain},
        "titledSingle": {"type": "string", "oneOf": titled("Option")},
        "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": ["Option One", "Option Two", "Option Three"]},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled("Choice")}},
    }
    return await _elicited(call, "Please choose.", {"type": "object", "properties": wanted}, "Elicitation completed: ")


async def _elicited(call: Call, message: str, wanted: Json, lead: str) -> Json:
    answer = await ask_client(call, "ElicitRequest", "ElicitResult", {"mode": "form", "message": message, "requestedSchema": wanted})
    return text(f"{lead}action={answer['action']}, content={json.dumps(answer.get('content', {}))}")


async def one_log(call: Call, arguments: Json) -> Json:
    await log(call, "One message, for clients that want it.")
    return text("Logged, if that was wanted.")


async def needs_sampling(call: Call, arguments: Json) -> Json:
    raise RpcError(MISSING_CAPABILITY, "This tool needs a client that can sample.", {"requiredCapabilities": {"sampling": {}}})


LIVE = {
    "test_logging_tool": one_log,
    "test_missing_capability": needs_sampling,
    "test_tool_with_logging": with_logging,
    "test_tool_with_progress": with_progress,
    "test_sampling": sampling,
    "test_elicitation": elicitation,
    "test_elicitation_sep1034_defaults": defaults,
    "test_elicitation_sep1330_enums": enums,
}


async def list_tools(call: Call, params: Json) -> Json:
    def tool(name: str) -> Json:
        if name == "json_schema_2020_12_tool":
            return {"name": name, "description": "Tool with JSON Schema 2020-12 features", "inputSchema": SCHEMA_2020}
        given = ARGUMENTS.get(name, {})
        required = [] if name == "test_x_mcp_header" else list(given)
        return {"name": name, "description": f"Does what {name} says.", "inputSchema": schema(given, required)}

    names = [*STILL, *LIVE, "test_x_mcp_header", *(n for n in ROUNDS if not n.endswith("_prompt"))]
    return {"tools": [tool(name) for name in names]}


def schema(given: Json, required: list[str]) -> Json:
    return {"type": "object", "properties": given, "required": required}


def tool_schema(name: str) -> Json | None:
    return schema(ARGUMENTS[name], []) if name in ARGUMENTS else None


async def call_tool(call: Call, params: Json) -> Json:
    name, arguments = params["name"], params.get("arguments") or {}
    if name in STILL:
        return STILL[name]
    if name in LIVE:
        try:
            return await LIVE[name](call, arguments)
        except RpcError:
            raise
        except Exception as error:  # noqa: BLE001 - a client that can't do it is an error of the tool
            return text(str(error), isError=True)
    if name in ROUNDS:
        return in_rounds(name, params) or text("Hello, and thank you for all answers.")
    if name == "test_x_mcp_header":
        return text(json.dumps(arguments))
    raise RpcError(INVALID_PARAMS, f"Unknown tool: {name}")


RESOURCES: dict[str, Json] = {
    "test://static-text": {"mimeType": "text/plain", "text": "This is the content of the static text resource."},
    "test://static-binary": {"mimeType": "image/png", "blob": png()},
    "test://watched-resource": {"mimeType": "text/plain", "text": "Watched."},
}


async def list_resources(call: Call, params: Json) -> Json:
    return {
        "resources": [
            {"uri": uri, "name": uri.removeprefix("test://"), "description": f"The resource {uri}.", "mimeType": held["mimeType"]}
            for uri, held in RESOURCES.items()
        ]
    }


async def list_templates(call: Call, params: Json) -> Json:
    made = {"uriTemplate": "test://template/{id}/data", "name": "template", "description": "By id.", "mimeType": "application/json"}
    return {"resourceTemplates": [made]}


async def read_resource(call: Call, params: Json) -> Json:
    uri = params["uri"]
    if uri in RESOURCES:
        return {"contents": [{"uri": uri, **RESOURCES[uri]}]}
    if uri.startswith("test://template/") and uri.endswith("/data"):
        id = uri.removeprefix("test://template/").removesuffix("/data")
        data = json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})
        return {"contents": [{"uri": uri, "mimeType": "application/json", "text": data}]}
    raise RpcError(INVALID_PARAMS if call.modern else NOT_FOUND, "Resource not found", {"uri": uri})


PROMPTS = {
    "test_simple_prompt": [],
    "test_prompt_with_arguments": ["arg1", "arg2"],
    "test_prompt_with_embedded_resource": ["resourceUri"],
    "test_prompt_with_image": [],
    "test_input_required_result_prompt": [],
}


async def list_prompts(call: Call, params: Json) -> Json:
    return {
        "prompts": [
            {
                "name": name,
                "description": f"The prompt {name}.",
                "arguments": [{"name": argument, "description": argument, "required": True} for argument in arguments],
            }
            for name, arguments in PROMPTS.items()
        ]
    }


async def get_prompt(call: Call, params: Json) -> Json:
    name, given = params["name"], params.get("arguments") or {}
    if name == "test_input_required_result_prompt":
        asked = in_rounds(name, params)
        if asked is not None:
            return asked
    words: dict[str, list[Json]] = {
        "test_simple_prompt": [{"type": "text", "text": "This is a simple prompt for testing."}],
        "test_prompt_with_arguments": [
            {"type": "text", "text": f"Prompt with arguments: arg1='{given.get('arg1')}', arg2='{given.get('arg2')}'"}
        ],
        "test_prompt_with_embedded_resource": [
            embedded(given.get("resourceUri", "test://none"), "text/plain", "Embedded resource content for testing."),
            {"type": "text", "text": "Please process the embedded resource above."},
        ],
        "test_prompt_with_image": [IMAGE, {"type": "text", "text": "Please analyze the image above."}],
        "test_input_required_result_prompt": [{"type": "text", "text": "Thank you."}],
    }
    if name not in words:
        raise RpcError(INVALID_PARAMS, f"Unknown prompt: {name}")
    return {"messages": [{"role": "user", "content": content} for content in words[name]]}


async def complete(call: Call, params: Json) -> Json:
    begun = params["argument"]["value"]
    values = [word for word in ("paris", "park", "party") if word.startswith(begun)]
    return {"completion": {"values": values, "total": len(values), "hasMore": False}}


async def nothing(call: Call, params: Json) -> Json:
    return {}


def surface() -> Surface:
    """Return the server."""
    handlers = {
        "tools/list": list_tools,
        "tools/call": call_tool,
        "resources/list": list_resources,
        "resources/templates/list": list_templates,
        "resources/read": read_resource,
        "resources/subscribe": nothing,
        "resources/unsubscribe": nothing,
        "prompts/list": list_prompts,
        "prompts/get": get_prompt,
        "completion/complete": complete,
        "logging/setLevel": nothing,
    }
    return Surface("everything", "1.0", "One of everything.", handlers, title="Everything", input_schema=tool_schema)


if __name__ == "__main__":
    import uvicorn

    uvicorn.run(McpApp(surface(), guard=Guard()), host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
