"""What went wrong with a model call, for a person: what happened, what to do, and whether another try may help.

The code of a failure says which advice fits; the provider's own words are kept beside it, without anything that looks like a key.
"""

from __future__ import annotations

from dataclasses import dataclass

from pydantic_ai import exceptions as theirs

from workroom.core.errors import OutgoingRefused, WorkroomError
from workroom.models.ports import ModelFailed
from workroom.models.provider_words import provider_words
from workroom.models.providers.retry_after import seconds
from workroom.net.errors import HostUnknown, InvalidResponse, ResponseTooLarge, TimedOut, TlsFailed, Unreachable
from workroom.net.failures import as_outgoing_errors

# Besides 429 and 5xx: the request met something over there that will have passed.
PASSING = frozenset({409, 425})
TIMED_OUT = frozenset({408, 504})
FORBIDDEN = 403
NOT_TAKEN = frozenset({400, 422})
THOUGHT_FIELDS = ("reasoning", "thinking")


@dataclass(frozen=True)
class Failures:
    """`provider` and `model` as a person knows them; `secret` never leaves. `name` is what the provider is called in settings
    and rules: pages make its label of it."""

    provider: str
    model: str
    secret: str
    name: str

    def explain(self, error: Exception) -> ModelFailed:
        match error:
            case ModelFailed():
                return error
            case WorkroomError():
                return self._on_the_way(error)
            case theirs.ModelConnectionError():
                return self._on_the_way(self._sentence(error))
            case theirs.ModelAPIError():
                return self._answered(error)
            case _:
                return self.not_understood()

    def _answered(self, error: theirs.ModelAPIError) -> ModelFailed:
        """Categories before statuses: the same ones arrive as an HTTP status and inside a stream."""
        provider, model, status = self.provider, self.model, getattr(error, "status_code", 0)
        match error:
            case theirs.ModelRequestTimeout():
                return self._timed_out(error)
            case theirs.ModelHTTPError() if status in TIMED_OUT:
                return self._timed_out(error)
            case theirs.ModelHTTPError() if status >= 500 or status in PASSING:
                text = f"{provider} has a problem of its own ({status}). Try again later."
                return self._failed(text, error, code="modelUnavailable", again=True)
            case theirs.ModelQuotaExceededError():
                text = f"The account at {provider} has no credit left or reached its limit. Top it up, or choose another model."
                return self._failed(text, error, code="modelQuota")
            case theirs.ModelRateLimitError():
                text = f"{provider} takes no more requests at the moment. Try again later."
                return self._failed(text, error, code="modelBusy", again=True)
            case theirs.ModelUnavailableError() | theirs.ModelServerError():
                text = f"{provider} has a problem of its own. Try again later."
                return self._failed(text, error, code="modelUnavailable", again=True)
            case theirs.ModelAuthenticationError() if status == FORBIDDEN:
                text = f"{provider} does not let this key use {model}. Check what the key may use, or choose another model."
                return self._failed(text, error, code="modelDenied")
            case theirs.ModelAuthenticationError():
                text = f"The key for {provider} was refused. Check the key, and that it may use {model}."
                return self._failed(text, error, code="modelKeyRefused")
            case theirs.ModelNotFoundError():
                text = f"The model {model} does not exist at {provider}. Check its name and the address, or choose another."
                return self._failed(text, error, code="modelNotFound")
            case theirs.ModelContextWindowExceededError():
                text = f"The conversation is too long for {model}. Begin a new one, or choose a model that takes more."
                return self._failed(text, error, code="modelTooLong")
            case theirs.ModelHTTPError():
                text = f"{provider} did not accept the request ({status}): {self._quote(error)}"
                return self._failed(text, error, code="modelRefused")
            case _ if error.in_stream:
                text = f"{provider} broke off its answer: {self._quote(error)}"
                return self._failed(text, error, code="modelBrokeOff", again=True)
            case _:
                return self.not_understood()

    def _on_the_way(self, error: WorkroomError) -> ModelFailed:
        match error:
            case InvalidResponse():
                text = f"{self.provider} broke off its answer. Try again."
                return self._failed(text, code="modelBrokeOff", again=True)
            case TimedOut():
                return self._failed(error.message, code="modelTimedOut", again=True)
            case OutgoingRefused() | TlsFailed():
                return self._failed(error.message, code="modelUnreachable")
            case HostUnknown() | Unreachable():
                return self._failed(error.message, code="modelUnreachable", again=True)
            case _:
                return ModelFailed(error.message, again=not isinstance(error, ResponseTooLarge))

    def _sentence(self, error: theirs.ModelConnectionError) -> WorkroomError:
        """The words of `net` for what lies at the bottom of the library's error."""
        cause: BaseException | None = error
        while isinstance(cause, Exception):
            try:
                with as_outgoing_errors(self.provider):
                    raise cause
            except WorkroomError as known:
                return known
            except Exception:
                cause = cause.__cause__
        return Unreachable(f"The connection to {self.provider} broke. Try again later.")

    def _timed_out(self, error: theirs.ModelAPIError) -> ModelFailed:
        text = f"{self.provider} took too long to answer. Try again later."
        return self._failed(text, error, code="modelTimedOut", again=True)

    def not_understood(self) -> ModelFailed:
        text = f"{self.provider} gave an answer that cannot be understood, or only half of one. Try again, or check its address."
        return self._failed(text, code="modelNotUnderstood", again=True)

    def _failed(
        self, text: str, error: theirs.ModelAPIError | None = None, *, code: str, again: bool = False
    ) -> ModelFailed:
        words = provider_words(getattr(error, "body", None), self.secret)
        after = seconds(error) if error is not None and again else None
        details = {"provider": self.name, "model": self.model} | ({"words": words} if words else {})
        return ModelFailed(text, again=again, after=after, code=code, details=details)

    def _quote(self, error: theirs.ModelAPIError) -> str:
        return provider_words(error.body, self.secret) or "it did not say why"

    def hidden(self, text: str) -> str:
        """The text without the key."""
        return text.replace(self.secret, "…") if self.secret else text


def refuses_thoughts(error: Exception) -> bool:
    """Whether a server refused a request for the reasoning in it: some do not take back what their own model thought."""
    if not isinstance(error, theirs.ModelHTTPError) or error.status_code not in NOT_TAKEN:
        return False
    return any(field in str(error.body) for field in THOUGHT_FIELDS)
