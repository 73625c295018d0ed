"""The catalogue of models: what is known of them, and how it is compared, brought up to date, and put back as it was."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path
from pydantic import Field

from workroom.api import catalogue_views as views
from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.paging import Listed, PageOf, page_of
from workroom.core.clock import now
from workroom.core.errors import InvalidInput
from workroom.core.wire import Wire
from workroom.models.model_catalogue import CatalogueEdit, FilePair, Update
from workroom.models.provider_input import MOST_MODELS

router = APIRouter(prefix="/api/model-catalogue", tags=["models"])

LONGEST_FILE = 1_000_000
MOST_REVISIONS = 2**31 - 2
Number = Annotated[int, Path(ge=1, le=MOST_REVISIONS)]


class WantedModel(Wire):
    """`after` is `{entry, strategy}` in the JSON of the shipped files; null takes the model out. `reset`: as it was shipped; not
    together with `after`."""

    provider: views.CataloguedProvider
    model: str = Field(max_length=200)
    after: dict[str, Any] | None = None
    reset: bool = False


class ProviderFiles(Wire):
    """The texts of a provider's two files. What they do not name is taken out of the catalogue."""

    provider: views.CataloguedProvider
    prices: str = Field(max_length=LONGEST_FILE)
    strategies: str = Field(max_length=LONGEST_FILE)


class CatalogueUpdate(Wire):
    """Either `models`, one by one, or `files`."""

    models: list[WantedModel] = Field([], max_length=MOST_MODELS)
    files: ProviderFiles | None = None

    def update(self) -> Update:
        if self.files is None:
            return [CatalogueEdit(**vars(model)) for model in self.models]
        if self.models:
            raise InvalidInput("Send either models or a pair of files.", field="models")
        return FilePair(**vars(self.files))


class CatalogueUpdateOn(CatalogueUpdate):
    """`revision` is the one the preview was made on."""

    revision: int = Field(ge=0, le=MOST_REVISIONS)


class NewRevision(Wire):
    revision: int


@router.get("")
async def list_catalogue(
    query: Listed, principal: CurrentPrincipal, services: AppServices
) -> PageOf[views.CataloguedModel]:
    """All that is known of the providers' models here, also of those that were taken out."""
    day = now().date()
    page = await services.models.catalogue.list(principal, query.request())
    return page_of(page, lambda listed: views.CataloguedModel.of(listed, day))


@router.get("/check")
async def check_catalogue(principal: CurrentPrincipal, services: AppServices) -> views.CatalogueCheck:
    """Whether prices and strategies are there for the same models."""
    return views.CatalogueCheck.of(await services.models.catalogue.check(principal))


@router.post("/preview")
async def preview_catalogue(
    body: CatalogueUpdate, principal: CurrentPrincipal, services: AppServices
) -> views.CataloguePreview:
    """What would change, and everything that is wrong with what was sent. Changes nothing."""
    return views.CataloguePreview.of(await services.models.catalogue.preview(principal, body.update()))


@router.post("", status_code=201)
async def change_catalogue(body: CatalogueUpdateOn, principal: CurrentPrincipal, services: AppServices) -> NewRevision:
    """Refused as long as something is wrong with it (422), and when the catalogue was changed since the preview (409)."""
    return NewRevision(revision=await services.models.catalogue.apply(principal, body.update(), body.revision))


@router.get("/revisions")
async def list_catalogue_revisions(
    query: Listed, principal: CurrentPrincipal, services: AppServices
) -> PageOf[views.CatalogueRevision]:
    """Who changed the catalogue when, and how many models."""
    page = await services.models.catalogue.revisions(principal, query.request())
    return page_of(page, views.CatalogueRevision.of)


@router.get("/revisions/{revision}")
async def get_catalogue_revision(
    revision: Number, principal: CurrentPrincipal, services: AppServices
) -> views.CatalogueChanges:
    """What a revision has changed."""
    return views.CatalogueChanges.of(await services.models.catalogue.changes(principal, revision))


@router.post("/revisions/{revision}/undo", status_code=201)
async def undo_catalogue_revision(revision: Number, principal: CurrentPrincipal, services: AppServices) -> NewRevision:
    """A new revision with the opposite changes. Refused (409) when one of the models was changed again since.
    So it is when a provider would then have more models than there may be."""
    return NewRevision(revision=await services.models.catalogue.undo(principal, revision))
