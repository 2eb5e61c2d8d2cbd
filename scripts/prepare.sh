#!/usr/bin/env bash
# Make the environment and install the package into it: prepare.sh PYTHON VENV [bare]. `bare` leaves out what only tests need.
set -euo pipefail
python=$1 venv=$2 what=${3:-dev}

if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    for newer in python3.13 python3.12 python3.11; do
        if command -v "$newer" >/dev/null; then python=$newer; break; fi
    done
fi
"$python" -c 'import sys; sys.exit("Pincite needs Python 3.11 or newer; this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
if [ ! -x "$venv/bin/python" ]; then
    if ! "$python" -m venv "$venv" 2>/dev/null; then
        rm -rf "$venv"
        scripts/apt.sh python3-venv
        "$python" -m venv "$venv"
    fi
fi
if [ "$what" = bare ]; then
    "$venv/bin/python" -c 'import pincite.library' 2>/dev/null || "$venv/bin/pip" --quiet --disable-pip-version-check install -e .
else
    mapfile -t tools < <("$venv/bin/python" -c 'import tomllib; print("\n".join(tomllib.load(open("pyproject.toml", "rb"))["dependency-groups"]["dev"]))')
    "$venv/bin/pip" --quiet --disable-pip-version-check install -e ".[serve,pdf,docx,code,browser]" "${tools[@]}"
fi
