"""The errors a user can meet: one small family, each with what happened and what to do about it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

_LONGEST_SAID = 300


def said(error: BaseException) -> str:
    """An error that nobody foresaw, in a line: its class and what it says, or the class alone where it cannot tell.

    Whoever raised it wrote the words: they may be long, act on a terminal, or fail to be told at all.
    """
    try:
        words = " ".join(str(error).split())
    except (Exception, SystemExit):
        words = ""
    told = f"{type(error).__name__}: {words}" if words else type(error).__name__
    told = "".join([sign if sign.isprintable() else "\ufffd" for sign in told[: _LONGEST_SAID + 1]])
    return told if len(told) <= _LONGEST_SAID else f"{told[: _LONGEST_SAID - 1]}…"


class MemtuiError(Exception):
    """Something memtui refuses or cannot do, told to a person in sentences.

    `message` says what happened, `hint` what to do instead; `file`, `field`, `value` and `choices`
    locate the cause when there is one. `code` is the stable name doors print, `exit_status` the
    exit status of the command line.
    """

    code = "error"
    exit_status = 1

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        file: str | None = None,
        field: str | None = None,
        value: object = None,
        choices: Sequence[str] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.file = file
        self.field = field
        self.value = value
        self.choices = tuple(choices)

    def as_dict(self) -> dict[str, object]:
        """The `error` shape every door shares: absent parts are left out."""
        shape: dict[str, object] = {"code": self.code, "message": self.message, "hint": self.hint}
        if self.file is not None:
            shape["file"] = self.file
        if self.field is not None:
            shape["field"] = self.field
        if self.value is not None:
            shape["value"] = str(self.value)
        if self.choices:
            shape["choices"] = list(self.choices)
        return shape


class Refused(MemtuiError):
    """A request that is understood and must not be carried out (a guard, a forgotten name, read-only)."""

    code = "refused"


class FilesUnusable(Refused):
    """Files of memories that were to be changed cannot follow them; nothing was changed.

    It tells the first refusal; `refusals` holds each, by what the memory is known by.
    """

    def __init__(self, refusals: Mapping[Hashable, Refused]) -> None:
        first = next(iter(refusals.values()))
        super().__init__(
            first.message, hint=first.hint, file=first.file, field=first.field, value=first.value, choices=first.choices
        )
        self.refusals = refusals


class IndexUnusable(Refused):
    """The store's index is damaged, so no text can be added to it; what is recorded is whole."""

    code = "index_unusable"


class NotFound(MemtuiError):
    """No record, alias or vault answers to what was asked for."""

    code = "not_found"


class Ambiguous(MemtuiError):
    """Several records answer to one name; `choices` lists them."""

    code = "ambiguous"


class VaultNotFound(NotFound):
    """No vault where one was asked for."""

    code = "vault_not_found"


class InvalidInput(MemtuiError):
    """A value that cannot be read: an unknown kind, a bad date, a malformed claim."""

    code = "invalid_input"
    exit_status = 2


class StoreBusy(MemtuiError):
    """Another process holds the store and did not let go within the bounded wait."""

    code = "store_busy"
    exit_status = 3


class StoreUnreadable(MemtuiError):
    """The store's file is damaged, foreign, made by a newer program, or not accessible."""

    code = "store_unreadable"
    exit_status = 3


class StoreGone(StoreUnreadable):
    """A store that was there since this program opened the vault is not there any more."""

    code = "store_gone"


class StoreFull(StoreUnreadable):
    """The disk has no room for what was to be recorded; nothing of it was."""

    code = "store_full"


class ProviderUnavailable(MemtuiError):
    """A registered search engine raised, was too slow, or answered with something that is no ranking."""

    code = "provider_unavailable"


class EmbedderUnavailable(MemtuiError):
    """The model that turns texts into vectors cannot be had, or gave no vectors that may be used."""

    code = "embedder_unavailable"
