-- What everything costs: limits, what is spent and promised under them, and one line in the ledger for every call.
--
-- The ledger outlives what it speaks of: runs, conversations and people are named by id without a foreign key, as in the
-- audit log, because deleting a conversation does not give the money back.

-- What somebody said about a limit. No line: the mandate's, or else the shipped one. No amount: no limit.
create table budget_limits (
    mandate_id uuid not null references mandates on delete cascade,
    role_id uuid, -- null: for everybody in the mandate
    scope text not null check (scope in ('mandate', 'user', 'workflow', 'run')),
    amount numeric check (amount >= 0),
    unique nulls not distinct (mandate_id, role_id, scope),
    check (role_id is null or scope <> 'mandate'),
    foreign key (mandate_id, role_id) references roles on delete cascade
);
call protect('budget_limits');

-- What is spent, and what calls under way may still spend. Always locked in one order: mandate, user, workflow, run.
create table budget_accounts (
    mandate_id uuid not null references mandates on delete cascade,
    scope text not null check (scope in ('mandate', 'user', 'workflow', 'run')),
    scope_id uuid not null,
    period date not null, -- the first day it is about: a user's day, a mandate's month; else always the same one
    spent numeric not null default 0,
    reserved numeric not null default 0,
    primary key (mandate_id, scope, scope_id, period)
) with (fillfactor = 50); -- every call writes here twice: room to do so in place
call protect('budget_accounts');

-- Calls under way: what they may cost at most. Gone when they are settled; those of dead processes are settled by guess.
create table reservations (
    mandate_id uuid not null references mandates on delete cascade,
    reservation_id uuid not null,
    at timestamptz not null,
    user_id uuid not null,
    instance_id uuid not null,
    conversation_id uuid,
    run_id uuid,
    provider text not null,
    model text not null,
    purpose text not null,
    round int,
    attempt int,
    price_input numeric not null,
    price_output numeric not null,
    price_cached numeric not null,
    price_written numeric,
    price_assumed boolean not null,
    input_tokens bigint not null,
    max_output_tokens bigint not null,
    amount numeric not null,
    primary key (mandate_id, reservation_id)
);
create index reservations_by_run on reservations (mandate_id, run_id);
create index reservations_by_time on reservations (at);
call protect('reservations');
call open_to('reservations', 'workroom_sweep', '{select}');

create table billing (
    mandate_id uuid not null references mandates on delete cascade,
    billing_id uuid not null, -- the reservation's, if there was one: nothing is billed twice
    at timestamptz not null, -- when the call began: it counts for that day
    user_id uuid not null,
    instance_id uuid not null,
    conversation_id uuid,
    run_id uuid,
    provider text not null,
    model text not null,
    purpose text not null check (purpose in ('round', 'summary', 'entities', 'embedding', 'vision', 'speech')),
    round int,
    attempt int,
    message_id uuid,
    input_tokens bigint not null,
    output_tokens bigint not null,
    cached_tokens bigint not null,
    written_tokens bigint not null,
    price_input numeric not null, -- CHF per million tokens, as it was
    price_output numeric not null,
    price_cached numeric not null,
    price_written numeric,
    price_assumed boolean not null,
    cost_chf numeric not null,
    assumed boolean not null, -- the price or the tokens are not known exactly
    outcome text not null check (outcome in ('answered', 'failed', 'lost')),
    duration_ms int not null,
    primary key (mandate_id, billing_id)
);
create index billing_by_run on billing (mandate_id, run_id);
create index billing_by_conversation on billing (mandate_id, conversation_id, at);
create index billing_by_user on billing (mandate_id, user_id, at);
create index billing_by_time on billing (mandate_id, at);
call protect('billing');
-- The ledger is written once.
revoke update, delete on billing from workroom_app;
