-- Searching the web: who is asked for it, what was found a moment ago, and what a search costs.

create table web_search_settings (
    mandate_id uuid primary key references mandates on delete cascade,
    provider text not null check (provider in ('tavily', 'searxng')),
    base_url text, -- of a SearXNG instance
    -- An administrator allowed this address inside the own network.
    private boolean not null default false,
    price_chf numeric not null check (price_chf >= 0), -- per search
    -- AES-GCM, bound to mandate and provider; the id says with which of our keys. The hint is its last characters.
    key_id text,
    key_sealed bytea,
    key_hint text not null default '',
    check ((key_id is null) = (key_sealed is null)),
    check ((provider = 'searxng') = (base_url is not null))
);
call protect('web_search_settings');

-- Results of the last minutes: the same question is not paid for twice.
create table web_searches (
    mandate_id uuid not null references mandates on delete cascade,
    question text not null check (question ~ '^[0-9a-f]{64}$'), -- a hash: what people search for is not kept
    found_at timestamptz not null,
    results jsonb not null,
    primary key (mandate_id, question)
);
create index web_searches_by_age on web_searches (found_at);
call protect('web_searches');
call open_to('web_searches', 'workroom_sweep', array['select(mandate_id, question, found_at)', 'delete']);

-- Calls that are paid for by the request, not by the token.
alter table reservations add column price_request numeric not null default 0;
alter table billing add column price_request numeric not null default 0;
alter table billing drop constraint billing_purpose_check;
alter table billing add constraint billing_purpose_check
    check (purpose in ('round', 'summary', 'entities', 'embedding', 'vision', 'speech', 'rerank', 'evaluation', 'search'));
