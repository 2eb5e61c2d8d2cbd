#!/usr/bin/env bash
# Install the system packages that the suite needs and that pip can't bring. Only what a test asks for by its marker.
set -euo pipefail
needs() { grep -rqE "pytest\.mark\.$1\b" tests --include='*.py' && return 0 || return 1; }
packages=()
if needs database && ! compgen -G '/usr/lib/postgresql/*/bin/pg_ctl' >/dev/null; then packages+=(postgresql); fi
if needs browser && ! command -v chromium >/dev/null; then packages+=(chromium); fi
if needs redis && ! command -v redis-server >/dev/null; then packages+=(redis-server); fi
if [ ${#packages[@]} -gt 0 ]; then scripts/apt.sh "${packages[@]}"; fi
