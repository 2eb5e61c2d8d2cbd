"""Basic logins from where secrets belong: the environment or the system's keyring.

In: `env:VARIABLE` or `keyring:USER`, and the location that is to be opened. Out: a header line, for the location's own origin alone.
"""

from __future__ import annotations

import base64
import importlib
from collections.abc import Mapping
from urllib.parse import urlsplit

from pincite.errors import UsageError


def header(where: str, location: str, environ: Mapping[str, str]) -> str:
    """Return the `Authorization` header (RFC 7617). Raises UsageError where there is no login; the message never holds one."""
    kind, _, name = where.partition(":")
    if kind == "env" and name:
        login = environ.get(name, "")
        if ":" not in login:
            raise UsageError(f"The environment variable {name} holds no login, which is written as user:password.")
    elif kind == "keyring" and name:
        login = f"{name}:{_kept(name, urlsplit(location).hostname or '')}"
    else:
        raise UsageError("A login is read from env:VARIABLE or keyring:USER.")
    return "Authorization: Basic " + base64.b64encode(login.encode()).decode()


def _kept(user: str, host: str) -> str:
    """Return the password that the keyring has for a user of a host."""
    try:
        keyring = importlib.import_module("keyring")
    except ImportError:
        raise UsageError("Reading the system's keyring needs `pip install 'pincite[keyring]'`.") from None
    try:
        password: str | None = keyring.get_password(host, user)
    except importlib.import_module("keyring.errors").KeyringError as error:
        raise UsageError(f"The keyring can't be read: {type(error).__name__}.") from None
    if password is None:
        raise UsageError(f"The keyring has no password of {user} for {host}. `keyring set {host} {user}` puts it there.")
    return password
