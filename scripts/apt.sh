#!/usr/bin/env bash
# Install Debian packages that are missing: apt.sh PACKAGE… Uses sudo when not root; without apt it says what is left out and goes on.
set -euo pipefail
missing=()
if ! command -v apt-get >/dev/null || ! command -v dpkg >/dev/null; then
    echo "No apt-get here; not installed: $*" >&2
    exit 0
fi
for package in "$@"; do
    dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "Neither root nor sudo; not installed: ${missing[*]}" >&2
        exit 0
    fi
    as_root=(sudo)
fi
echo "Installing ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
