// A small OpenAI-compatible server for tests: POST /v1/chat/completions over one GGUF model on the processor, one request at a time.
// In: the model's file, a port. Out: whole answers or server-sent events; a JSON schema becomes a grammar. One thread: two can spin for ever.
import {createServer} from "node:http";
import {getLlama, LlamaChatSession} from "node-llama-cpp";

const [file, port] = process.argv.slice(2);
const CONTEXT = 4096;
const LIMIT = 1 << 20;

const llama = await getLlama({gpu: false, build: "never", skipDownload: true, maxThreads: 1, logLevel: "error"});
const model = await llama.loadModel({modelPath: file});
const context = await model.createContext({contextSize: CONTEXT, threads: 1});
const sequence = context.getSequence();
let turn = Promise.resolve();

function fail(response, status, message) {
  response.writeHead(status, {"content-type": "application/json"});
  response.end(JSON.stringify({error: {message}}));
}

async function answer(request, tell) {
  const said = (role) => request.messages.filter((m) => m.role === role).map((m) => m.content);
  const schema = request.response_format?.json_schema?.schema;
  const grammar = schema ? await llama.createGrammarForJsonSchema(schema) : undefined;
  await sequence.clearHistory();
  const session = new LlamaChatSession({contextSequence: sequence, systemPrompt: said("system").join("\n"), autoDisposeSequence: false});
  try {
    return await session.prompt(said("user").at(-1), {maxTokens: request.max_tokens ?? 256, temperature: 0, grammar, onTextChunk: tell});
  } finally {
    session.dispose({disposeSequence: false});
  }
}

async function serve(request, response) {
  const count = model.tokenize(request.messages.map((m) => m.content).join("\n")).length;
  if (count > CONTEXT - 128) return fail(response, 400, `maximum context length is ${CONTEXT} tokens, the messages have ${count}`);
  const event = (delta, finish_reason = null) =>
    response.write(`data: ${JSON.stringify({object: "chat.completion.chunk", choices: [{index: 0, delta, finish_reason}]})}\n\n`);
  if (request.stream) response.writeHead(200, {"content-type": "text/event-stream"});
  const text = await answer(request, request.stream ? (content) => event({content}) : undefined);
  const usage = {prompt_tokens: count, completion_tokens: model.tokenize(text).length};
  if (request.stream) {
    event({}, "stop");
    return response.end("data: [DONE]\n\n");
  }
  response.writeHead(200, {"content-type": "application/json"});
  const message = {role: "assistant", content: text};
  response.end(JSON.stringify({object: "chat.completion", choices: [{index: 0, message, finish_reason: "stop"}], usage}));
}

const server = createServer((incoming, response) => {
  let body = "";
  incoming.on("data", (piece) => {
    body += piece;
    if (body.length > LIMIT) incoming.destroy();
  });
  incoming.on("end", () => {
    if (incoming.url !== "/v1/chat/completions") return fail(response, 404, "there is only /v1/chat/completions");
    turn = turn.then(() => serve(JSON.parse(body), response)).catch((error) => (response.headersSent ? response.destroy() : fail(response, 400, String(error.message))));
  });
});
server.listen(Number(port), "127.0.0.1", () => console.log("ready"));
