"""Opening what a path names only if it is a regular file: pipes would wait for ever, devices never end."""

from __future__ import annotations

import errno
import os
import stat

# Without O_NONBLOCK the mere opening of a pipe waits for someone to write to it.
_WANTED = ("O_NONBLOCK", "O_CLOEXEC", "O_NOFOLLOW", "O_BINARY")
_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in _WANTED)  # no system has all of them


class NotRegular(OSError):
    """What was opened is a pipe, a device, a socket, a folder or a link."""


def read_regular(path: str, limit: int) -> bytes:
    """The bytes of a regular file, at most `limit` + 1 of them: one too many tells that it is larger.

    What the path names is looked at after it was opened, as it may have changed since any earlier
    look; links are expected to be resolved. Raises OSError, NotRegular among them.
    """
    try:
        descriptor = os.open(path, _FLAGS)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise NotRegular(errno.ELOOP, "a link has taken its place") from error
        raise
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise NotRegular(0, "it is no regular file")
        return file.read(limit + 1)
