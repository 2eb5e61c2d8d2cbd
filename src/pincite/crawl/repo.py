"""Git repositories as sources: cloned through the guard, read as a folder, cited by commit.

In: `git+https://host/owner/name.git@ref#folder`, or `git+file:///path@ref`. Out: pages whose URL stays the same from commit to commit,
and whose final URL is the permalink to the commit that was read. git runs as a child without hooks, prompts, the user's configuration or
other protocols, and reaches the network through the filtering proxy alone.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from anyio.from_thread import start_blocking_portal

from pincite import urls
from pincite.crawl import addresses, tree
from pincite.crawl.proxy import FilteringProxy
from pincite.errors import Refused, SourceError, UsageError
from pincite.protocols import Clock
from pincite.types import Capture, PageOutcome, Policy, Source, Wanted

CLONE_S = 600.0
CLONE_BYTES = 1024 * 1024 * 1024
_LOCATION = re.compile(r"git\+(?P<remote>(?:https?|file)://[^#@]*?(?:@[^/#@]+/[^#@]*)?)(?:@(?P<ref>[^#]+))?(?:#(?P<folder>.*))?")
_REF = re.compile(r"(?!-)[\w./+-]{1,200}")
_BLOB = {"gitlab": "-/blob", "bitbucket": "src", "codeberg": "src/commit"}


@dataclass(frozen=True, slots=True)
class Repository:
    """A location taken apart. `ref` is a branch, tag or commit, empty for the default branch; `folder` is where to read."""

    remote: str
    ref: str
    folder: str

    def page(self, path: str, at: str) -> str:
        """Return the URL of a file at a ref or commit, as the host shows it; for other hosts a `git+` URL."""
        parts = urlsplit(self.remote)
        web = self.remote.removesuffix("/").removesuffix(".git")
        host = parts.hostname or ""
        if parts.scheme == "https" and host.count(".") >= 1:
            blob = next((form for name, form in _BLOB.items() if name in host), "blob")
            return f"{web}/{blob}/{quote(at, safe='/')}/{quote(path)}"
        return f"git+{self.remote}@{quote(at, safe='/')}#{quote(path)}"


def taken_apart(location: str) -> Repository:
    """Return the parts of a `git+…` location. Raises UsageError."""
    match = _LOCATION.fullmatch(location)
    if match is None:
        raise UsageError(f"{location} names no repository. Write git+https://host/owner/name.git@ref, with #folder for a part of it.")
    ref, folder = match["ref"] or "", unquote(match["folder"] or "").strip("/")
    if ref and (not _REF.fullmatch(ref) or ".." in ref):
        raise UsageError(f"{ref!r} is no branch, tag or commit.")
    if ".." in folder.split("/"):
        raise UsageError(f"The folder {folder} leads out of the repository.")
    return Repository(match["remote"], ref, folder)


def pages(source: Source, known: Mapping[str, Capture], *, clock: Clock) -> tree.Flow:
    """Yield the files of a repository. Raises UsageError, Refused (rule `address`) and SourceError (rule `git`, `timeout`)."""
    repository, seen = taken_apart(source.location), set[str]()
    with tempfile.TemporaryDirectory(prefix="pincite-git-") as place:
        commit = _cloned(repository, source.policy, place)
        top = os.path.realpath(os.path.join(place, "tree", *repository.folder.split("/")))
        if not os.path.isdir(top):
            raise SourceError(f"{source.location}: the repository has no folder {repository.folder}.", url=source.location, rule="missing")
        base = urls.file_url(Path(top)) + "/"
        above = f"{repository.folder}/" if repository.folder else ""
        for item in tree.pages(replace(source, kind="folder", location=top), {}, clock=clock, split=lambda text: ()):
            if isinstance(item, Wanted):
                told = tuple(repository.page(above + unquote(url.removeprefix(base)), repository.ref or "HEAD") for url in item.urls)
                seen.update(told)
                yield Wanted(told)
                continue
            path = above + unquote(item.url.removeprefix(base))
            url = repository.page(path, repository.ref or "HEAD")
            fetched = item.fetched and replace(item.fetched, url=url, final_url=repository.page(path, commit), path=path)
            yield replace(item, url=url, fetched=fetched)
    for url in known:
        if url not in seen:
            yield PageOutcome(url, "skipped", "gone")


def _cloned(repository: Repository, policy: Policy, place: str) -> str:
    """Clone into `place`/tree and return the commit. Hosts are vetted before git starts and again by the proxy at each connection."""
    scheme = urlsplit(repository.remote).scheme
    target = os.path.join(place, "tree")
    if scheme == "file":
        _git(place, scheme, {}, "clone", "--quiet", "--no-hardlinks", "--no-tags", repository.remote, target)
    else:
        addresses.target(repository.remote, policy.allow_private)
        with _proxied(policy) as proxy:
            door = proxy.server.replace("//", f"//{proxy.user}:{proxy.password}@")
            through = {"http_proxy": door, "https_proxy": door, "no_proxy": ""}
            try:
                _git(place, scheme, through, "clone", "--quiet", "--no-tags", "--filter=blob:limit=20m", repository.remote, target)
            except SourceError as error:
                if any(rule in ("address", "scheme") for _, rule in proxy.refused):
                    raise Refused(
                        f"{repository.remote} does not lead to a public address.", url=repository.remote, rule="address"
                    ) from error
                raise
            if repository.ref:
                _checked_out(place, scheme, through, target, repository.ref)
    if scheme == "file" and repository.ref:
        _checked_out(place, scheme, {}, target, repository.ref)
    return _git(place, scheme, {}, "-C", target, "rev-parse", "HEAD").strip()


def _checked_out(place: str, scheme: str, through: dict[str, str], target: str, ref: str) -> None:
    """Check out a branch, tag or commit; it is fetched first, for tags were left out."""
    try:
        _git(place, scheme, through, "-C", target, "fetch", "--quiet", "origin", ref)
        _git(place, scheme, through, "-C", target, "checkout", "--quiet", "--detach", "FETCH_HEAD")
    except SourceError:
        _git(place, scheme, through, "-C", target, "checkout", "--quiet", "--detach", ref)


@contextmanager
def _proxied(policy: Policy) -> Iterator[FilteringProxy]:
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(FilteringProxy(replace(policy, limit_bytes=CLONE_BYTES))) as proxy,
    ):
        yield proxy


def _git(place: str, scheme: str, through: dict[str, str], *arguments: str) -> str:
    """Run git and return what it printed. Raises SourceError (rule `git`, `timeout`), UsageError when there is no git."""
    closed = ["protocol.allow=never", f"protocol.{scheme}.allow=always", "core.hooksPath=/dev/null", "core.symlinks=false"]
    closed += ["core.fsmonitor=false", "submodule.recurse=false", "credential.helper=", "http.followRedirects=initial", "gc.auto=0"]
    closed += ["filter.lfs.smudge=", "filter.lfs.required=false", "safe.directory=*"]
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "SYSTEMROOT", "SSL_CERT_FILE", "SSL_CERT_DIR") if name in os.environ}
    environment = kept | {"GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "HOME": place} | through
    command = ["git", *(part for setting in closed for part in ("-c", setting)), *arguments]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, stdin=subprocess.DEVNULL, timeout=CLONE_S, check=False)
    except FileNotFoundError:
        raise UsageError("Repositories need git: install it and run the command again.") from None
    except subprocess.TimeoutExpired:
        raise SourceError(f"git took longer than {CLONE_S:.0f} s.", rule="timeout") from None
    if done.returncode:
        said = re.sub(r"//[^/@\s]*@", "//", done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2])[:300]
        raise SourceError(f"git failed: {said}", rule="git")
    return done.stdout.decode("utf-8", "replace")
