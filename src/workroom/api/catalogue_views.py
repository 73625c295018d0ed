"""The catalogue of models as clients see it: in the JSON of the files the product ships, which is also how it is entered."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Literal

from workroom.core.wire import Wire
from workroom.models import catalogue as known
from workroom.models import catalogue_input, model_catalogue, revision_store
from workroom.models.catalogue import Lack
from workroom.models.catalogue.strategies import Degree, Handling, StrategyType, Template
from workroom.models.catalogue_input import InputFault, InputPart
from workroom.models.model_catalogue import EntryState
from workroom.models.revision_store import RevisionOrigin

# Those the catalogue knows; a test holds that they are the shipped ones.
CataloguedProvider = Literal["anthropic", "google", "openai"]


class LongPromptPrice(Wire):
    """All of a call whose prompt has more than `above` tokens is billed at these."""

    above: int
    input: str
    cached: str | None = None
    written: str | None = None
    output: str


class DollarPrice(Wire):
    """USD per million tokens, from the day `since` on. What is null costs as much as `input`."""

    since: date | None = None
    input: str
    cached: str | None = None
    written: str | None = None
    output: str
    long_prompt: LongPromptPrice | None = None


class CatalogueEntry(Wire):
    id: str
    label: str
    context_tokens: int
    output_tokens: int
    tools: bool
    images: bool
    prices: list[DollarPrice]


class CatalogueStrategy(Wire):
    """How the model is told that it is another agent from now on."""

    type: StrategyType
    agent_switch_template: Template
    assertiveness: Degree
    contextual_memory: Degree
    special_handling: list[Handling]


class DescribedModel(Wire):
    entry: CatalogueEntry
    strategy: CatalogueStrategy | None

    @classmethod
    def of(cls, described: known.ModelDescription) -> DescribedModel:
        return cls.model_validate(described.stored())


class CataloguedModel(Wire):
    """`state` compares it with what the product ships; a removed one is shown as it was shipped."""

    provider: str
    model: str
    state: EntryState
    described: DescribedModel
    price: DollarPrice

    @classmethod
    def of(cls, listed: model_catalogue.ListedEntry, day: date) -> CataloguedModel:
        described = DescribedModel.of(listed.described)
        price = next(one for one in reversed(described.entry.prices) if one.since is None or one.since <= day)
        return cls(provider=listed.provider, model=listed.model, state=listed.state, described=described, price=price)


class CatalogueDisagreement(Wire):
    provider: str
    model: str
    lacks: Lack

    @classmethod
    def of(cls, disagreement: known.Disagreement) -> CatalogueDisagreement:
        return cls(**vars(disagreement))


class ProviderCount(Wire):
    provider: str
    models: int


class CatalogueCheck(Wire):
    """`revision` is the newest; 0 when nothing was ever changed here."""

    revision: int
    disagreements: list[CatalogueDisagreement]
    providers: list[ProviderCount]

    @classmethod
    def of(cls, check: model_catalogue.Check) -> CatalogueCheck:
        return cls(
            revision=check.revision,
            disagreements=[CatalogueDisagreement.of(one) for one in check.disagreements],
            providers=[ProviderCount(provider=name, models=count) for name, count in check.counts.items()],
        )


class CatalogueChange(Wire):
    """`before` null: it was not there. `after` null: it is taken out."""

    provider: str
    model: str
    before: DescribedModel | None
    after: DescribedModel | None

    @classmethod
    def of(cls, change: known.CatalogueChange) -> CatalogueChange:
        return cls.model_validate(change.stored())


class CatalogueProblem(Wire):
    """Where something is wrong (`part`, `model`, `field`), what (`code`), and what belongs there."""

    part: InputPart
    model: str
    field: str
    code: InputFault
    expected: str
    message: str

    @classmethod
    def of(cls, problem: catalogue_input.InputProblem) -> CatalogueProblem:
        return cls(**vars(problem.place), code=problem.fault, expected=problem.expected, message=problem.message)


class CataloguePreview(Wire):
    """What would change, as of `revision`; nothing while there are problems, of which at most 100 are told."""

    revision: int
    changes: list[CatalogueChange]
    problems: list[CatalogueProblem]

    @classmethod
    def of(cls, preview: model_catalogue.Preview) -> CataloguePreview:
        return cls(
            revision=preview.revision,
            changes=[CatalogueChange.of(change) for change in preview.changes],
            problems=[CatalogueProblem.of(problem) for problem in preview.problems],
        )


class CatalogueRevision(Wire):
    """`undone` is the revision this one takes back, `undoneBy` the last that took this one back."""

    revision: int
    made_at: datetime
    made_by_name: str | None
    origin: RevisionOrigin
    undone: int | None
    undone_by: int | None
    added: int
    changed: int
    removed: int

    @classmethod
    def of(cls, revision: revision_store.Revision) -> CatalogueRevision:
        return cls(**vars(revision))


class CatalogueChanges(Wire):
    items: list[CatalogueChange]

    @classmethod
    def of(cls, changes: Sequence[known.CatalogueChange]) -> CatalogueChanges:
        return cls(items=[CatalogueChange.of(change) for change in changes])
