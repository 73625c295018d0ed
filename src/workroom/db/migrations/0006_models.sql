-- Which language models a mandate uses, in which order, and what they cost.

-- One row per mandate, made with the first change; `version` rises with every change of anything in this file, so that
-- every process sees from one number whether what it remembers is still true.
create table model_settings (
    mandate_id uuid primary key references mandates on delete cascade,
    version bigint not null,
    -- {"AGENT": ["openai/gpt-5", …], …}; what is missing follows the ranking of the catalogue.
    chains jsonb not null default '{}',
    -- Null: what the product ships with.
    chf_per_usd numeric,
    rate_date date,
    assumed_chf numeric
);
call protect('model_settings');

create table model_providers (
    mandate_id uuid not null references mandates on delete cascade,
    provider_id uuid not null,
    -- What model names, rules and bills call it: `openai` in `openai/gpt-5`.
    name text not null,
    kind text not null check (kind in ('openai', 'anthropic', 'google', 'endpoint')),
    label text not null,
    base_url text,
    -- An administrator allowed this address inside the own network.
    private boolean not null default false,
    -- Models beside those of the catalogue: [{"name": …, "context_tokens": …, "output_tokens": …, "tools": …, "images": …}]
    models jsonb not null default '[]',
    enabled boolean not null default true,
    -- AES-GCM, bound to mandate, provider and address; the id says with which of our keys. The hint is its last characters.
    key_id text,
    key_sealed bytea,
    key_hint text not null default '',
    created_at timestamptz not null,
    primary key (mandate_id, provider_id),
    unique (mandate_id, name)
);
call protect('model_providers');

-- CHF per million tokens, instead of what the catalogue says.
create table model_prices (
    mandate_id uuid not null references mandates on delete cascade,
    model text not null,
    input numeric not null check (input >= 0),
    cached numeric not null check (cached >= 0),
    output numeric not null check (output >= 0),
    primary key (mandate_id, model)
);
call protect('model_prices');
