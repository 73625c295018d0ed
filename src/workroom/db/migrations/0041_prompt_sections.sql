-- What a prompt was made of, in tokens as estimated: shown beside what it cost.

alter table reservations add column sections jsonb not null default '{}';
alter table billing add column sections jsonb not null default '{}';
