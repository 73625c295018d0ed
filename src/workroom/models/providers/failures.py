"""What went wrong with a model call, for a person: what happened, what to do, and whether another try may help.

Refusals of a key are never quoted: some providers repeat the key in them.
"""

from __future__ import annotations

from dataclasses import dataclass

from pydantic_ai import exceptions as theirs

from workroom.core.errors import OutgoingRefused, WorkroomError
from workroom.models.ports import ModelFailed
from workroom.models.providers.arguments import clean
from workroom.models.providers.retry_after import seconds
from workroom.net.errors import InvalidResponse, ResponseTooLarge, TlsFailed
from workroom.net.failures import as_outgoing_errors

QUOTE_LENGTH = 300
# Besides 429 and 5xx: the request timed out over there, or met something that will have passed.
PASSING = frozenset({408, 409, 425})


@dataclass(frozen=True)
class Failures:
    """`provider` and `model` as a person knows them; `secret` never leaves."""

    provider: str
    model: str
    secret: str

    def explain(self, error: Exception) -> ModelFailed:
        match error:
            case ModelFailed():
                return error
            case WorkroomError():
                return self._on_the_way(error)
            case theirs.ModelConnectionError():
                return self._on_the_way(self._sentence(error))
            case theirs.ModelHTTPError() if error.status_code >= 500 or error.status_code in PASSING:
                return ModelFailed(
                    f"{self.provider} has a problem of its own ({error.status_code}). Try again later.",
                    again=True,
                    after=seconds(error),
                )
            case theirs.ModelAPIError():
                return self._answered(error)
            case _:
                return self.not_understood()

    def _answered(self, error: theirs.ModelAPIError) -> ModelFailed:
        """Categories before statuses: the same ones arrive as an HTTP status and inside a stream."""
        provider, model = self.provider, self.model
        match error:
            case theirs.ModelQuotaExceededError():
                text = f"The account at {provider} has no credit left or reached its limit. Top it up, or choose another model."
            case theirs.ModelRateLimitError():
                text = f"{provider} takes no more requests at the moment. Try again later."
                return ModelFailed(text, again=True, after=seconds(error))
            case theirs.ModelUnavailableError() | theirs.ModelServerError() | theirs.ModelRequestTimeout():
                text = f"{provider} has a problem of its own. Try again later."
                return ModelFailed(text, again=True, after=seconds(error))
            case theirs.ModelAuthenticationError():
                text = f"The key for {provider} was refused. Check the key, and that it may use {model}."
            case theirs.ModelNotFoundError():
                text = f"The model {model} does not exist at {provider}. Check its name and the address, or choose another."
            case theirs.ModelContextWindowExceededError():
                text = f"The conversation is too long for {model}. Begin a new one, or choose a model that takes more."
            case theirs.ModelHTTPError():
                text = f"{provider} did not accept the request ({error.status_code}): {self._quote(error)}"
            case _ if error.in_stream:
                return ModelFailed(f"{provider} broke off its answer: {self._quote(error)}", again=True)
            case _:
                return self.not_understood()
        return ModelFailed(text, again=False)

    def _on_the_way(self, error: WorkroomError) -> ModelFailed:
        if isinstance(error, InvalidResponse):
            return ModelFailed(f"{self.provider} broke off its answer. Try again.", again=True)
        hopeless = isinstance(error, OutgoingRefused | TlsFailed | ResponseTooLarge)
        return ModelFailed(error.message, again=not hopeless)

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
        return WorkroomError(f"The connection to {self.provider} broke. Try again later.")

    def not_understood(self) -> ModelFailed:
        text = f"{self.provider} gave an answer that cannot be understood, or only half of one. Try again, or check its address."
        return ModelFailed(text, again=True)

    def _quote(self, error: theirs.ModelAPIError) -> str:
        body: object = getattr(error, "body", None)
        if isinstance(body, dict):
            body = body.get("error", body)
        said = body.get("message") if isinstance(body, dict) else body
        text = said if isinstance(said, str) and said.strip() else "it did not say why"
        return clean(" ".join(self.hidden(text).split()))[:QUOTE_LENGTH]

    def hidden(self, text: str) -> str:
        """The text without the key."""
        return text.replace(self.secret, "…") if self.secret else text
