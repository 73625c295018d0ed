-- A run may wait for a person: what it asks is kept with the call it belongs to, and so is the answer, which is taken once.

alter table tool_calls drop constraint tool_calls_state_check;
alter table tool_calls add constraint tool_calls_state_check
    check (state in ('asked', 'started', 'waiting', 'answered', 'finished'));
alter table tool_calls add column pause jsonb;
alter table tool_calls add column answer jsonb;
alter table tool_calls add column answered_at timestamptz;
-- An answer given by writing a message: sending it twice answers once.
alter table tool_calls add column answer_client_id text;
alter table tool_calls add constraint tool_calls_answer_client_id unique (mandate_id, answer_client_id);
create index tool_calls_by_run on tool_calls (mandate_id, run_id);

-- Why a run had to come to its end, what went wrong by code, and what it cost, for lists and summaries.
alter table runs add column ending text check (ending in ('maxRounds', 'loop', 'budget'));
alter table runs add column error_code text;
alter table runs add column model text not null default '';
alter table runs add column cost_chf numeric not null default 0;
alter table runs add column cost_assumed boolean not null default false;
