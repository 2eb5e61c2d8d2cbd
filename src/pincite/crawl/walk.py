"""A folder read without ever leaving it.

In: a root, ignore rules, a filter. Out: the relative paths of its files, and their bytes. The root is opened once; every step below goes
through the descriptor of its parent with O_NOFOLLOW, so a link that is put in later is not followed. A link is read only when the real path
that it names lies inside the root, and then by that path, step by step.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self

from pathspec import GitIgnoreSpec

_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_FILE = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_BY_DESCRIPTOR = os.open in os.supports_dir_fd
MAX_DEPTH = 100
"""Folders below folders; deeper ones are left out."""
IGNORE_BYTES = 1024 * 1024
DROPPINGS = re.compile(
    r"(?:__pycache__|__MACOSX|node_modules|bower_components|[^/]+\.egg-info|[^/]+\.dist-info)/|(?i:Thumbs\.db|desktop\.ini|.+\.(?:py[cod]|o|obj|class|swp|swo|bak|orig|rej|tmp)|.+~)"
)
"""What builds, editors and systems leave behind: neither wanted nor counted, as if a `.gitignore` named it."""


class Unreadable(Exception):
    """A file that can't be taken; `reason` is fit for the coverage report."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Root:
    """An opened folder. Use it as a context manager. Raises OSError when it can't be opened."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._fd = os.open(path, _FOLDER) if _BY_DESCRIPTOR else -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._fd >= 0:
            os.close(self._fd)

    def files(self, wanted: Callable[[str], bool], refused: Callable[[str, str], None]) -> Iterator[str]:
        """Yield relative paths, sorted, of files that no `.gitignore` and no leading dot hides; tell `refused` of unreadable folders."""
        yield from self._below("", (), wanted, refused)

    def _below(
        self, folder: str, above: tuple[tuple[str, GitIgnoreSpec], ...], wanted: Callable[[str], bool], refused: Callable[[str, str], None]
    ) -> Iterator[str]:
        if folder.count("/") >= MAX_DEPTH:
            return refused(folder, "too deep")
        try:
            with self._step_into(folder) as at:
                entries = sorted(((e.name, e.is_dir(follow_symlinks=False), e.is_symlink()) for e in os.scandir(at)), key=lambda e: e[0])
        except OSError as error:
            return refused(folder, reason_of(error))
        except Unreadable as error:
            return refused(folder, error.reason)
        specs = above
        if any(name == ".gitignore" and not is_dir and not linked for name, is_dir, linked in entries):
            specs = (*above, (folder, self._ignored_by(folder)))
        for name, is_dir, _ in entries:
            path = folder + name
            if name.startswith(".") or DROPPINGS.fullmatch(name + "/" * is_dir) or _is_ignored(path + "/" * is_dir, specs):
                continue
            if is_dir:
                yield from self._below(path + "/", specs, wanted, refused)
            elif wanted(path):
                yield path
        return None

    def read(self, path: str, limit_bytes: int) -> tuple[bytes, os.stat_result]:
        """Return a file's bytes and status. Raises Unreadable: `permission`, `missing`, `outside root`, `wrong type`, `too large`."""
        try:
            inside = self._real(path)
            folder, _, name = inside.rpartition("/")
            with self._step_into(folder + "/" * bool(folder)) as at:
                fd = os.open(name, _FILE, dir_fd=at) if isinstance(at, int) else os.open(os.path.join(at, name), _FILE)
            with open(fd, "rb") as file:
                status = os.fstat(file.fileno())
                if not stat.S_ISREG(status.st_mode):
                    raise Unreadable("wrong type")
                body = file.read(limit_bytes + 1) if status.st_size <= limit_bytes else b""
        except OSError as error:
            raise Unreadable(reason_of(error)) from error
        if status.st_size > limit_bytes or len(body) > limit_bytes:
            raise Unreadable("too large")
        return body, status

    def _real(self, path: str) -> str:
        """Return the relative path without links. Raises Unreadable when it leads out of the root."""
        full = os.path.join(self.path, *path.split("/"))
        if not os.path.islink(full):
            return path
        real = os.path.realpath(full)
        if os.path.commonpath((real, self.path)) != self.path:
            raise Unreadable("outside root")
        return os.path.relpath(real, self.path).replace(os.sep, "/")

    @contextmanager
    def _step_into(self, folder: str) -> Iterator[int | str]:
        """Open a folder step by step from the root, following no link."""
        if not _BY_DESCRIPTOR:
            full = os.path.join(self.path, *folder.split("/"))
            if os.path.commonpath((os.path.realpath(full), self.path)) != self.path:
                raise Unreadable("outside root")
            yield full
            return
        fd = os.dup(self._fd)
        try:
            for name in folder.split("/"):
                if name:
                    below = os.open(name, _FOLDER, dir_fd=fd)
                    os.close(fd)
                    fd = below
            yield fd
        finally:
            os.close(fd)

    def _ignored_by(self, folder: str) -> GitIgnoreSpec:
        try:
            body, _ = self.read(folder + ".gitignore", IGNORE_BYTES)
        except Unreadable:
            return GitIgnoreSpec.from_lines(())
        return GitIgnoreSpec.from_lines(body.decode("utf-8", "replace").splitlines())


def reason_of(error: OSError) -> str:
    """Return the coverage reason of an operating system error."""
    if isinstance(error, PermissionError):
        return "permission"
    if isinstance(error, IsADirectoryError) or error.errno in (errno.ENXIO, errno.ENODEV):
        return "wrong type"
    if error.errno == errno.ELOOP:
        return "link loop"
    return "missing" if isinstance(error, FileNotFoundError) else (error.strerror or "unreadable").lower()


def _is_ignored(path: str, specs: tuple[tuple[str, GitIgnoreSpec], ...]) -> bool:
    """Ask the deepest `.gitignore` first; the first that has an opinion decides."""
    for folder, spec in reversed(specs):
        verdict = spec.check_file(path[len(folder) :]).include
        if verdict is not None:
            return verdict
    return False
