-- What a switch of agents does to a model: evaluations somebody asked for, and every answer they got.

create table switch_evaluations (
    mandate_id uuid not null references mandates on delete cascade,
    evaluation_id uuid not null,
    model text not null,
    strategy text not null, -- of the model, as it was then
    languages text[] not null check (cardinality(languages) > 0),
    repeats int not null check (repeats between 1 and 10),
    questions int not null, -- how many that makes
    state text not null check (state in ('queued', 'running', 'done', 'stopped', 'error')),
    asked_by uuid, -- who pays; null: they are gone
    created_at timestamptz not null,
    finished_at timestamptz,
    cost_chf numeric not null default 0,
    error_code text, -- why it ended before its end; null with `stopped`: somebody stopped it
    error text,
    -- Who is at it, and until when; how often it was begun since the last answer.
    held_until timestamptz,
    epoch int not null default 0,
    setbacks int not null default 0,
    primary key (mandate_id, evaluation_id),
    foreign key (mandate_id, asked_by) references users on delete set null (asked_by)
);
create index switch_evaluations_by_person on switch_evaluations (mandate_id, asked_by);
create index switch_evaluations_to_do on switch_evaluations (created_at) where state in ('queued', 'running');
-- One at a time: two would ask the same.
create unique index switch_evaluations_under_way on switch_evaluations (mandate_id, model)
    where state in ('queued', 'running');
call protect('switch_evaluations');
call open_to('switch_evaluations', 'workroom_sweep', array['select', 'update(state, held_until, epoch, setbacks)']);

create table switch_answers (
    mandate_id uuid not null references mandates on delete cascade,
    evaluation_id uuid not null,
    case_id text not null,
    language text not null,
    with_reset boolean not null,
    number int not null,
    kept boolean, -- null: the model failed
    missing text[] not null default '{}',
    "left" text[] not null default '{}',
    answer text not null default '',
    failed text,
    answered_at timestamptz not null,
    primary key (mandate_id, evaluation_id, case_id, with_reset, number),
    foreign key (mandate_id, evaluation_id) references switch_evaluations on delete cascade,
    check ((kept is null) = (failed is not null))
);
call protect('switch_answers');

-- Another kind of call that is paid for, the first that belongs to no workspace.
alter table billing drop constraint billing_purpose_check;
alter table billing add constraint billing_purpose_check
    check (purpose in ('round', 'summary', 'entities', 'embedding', 'vision', 'speech', 'rerank', 'evaluation'));
alter table billing alter column instance_id drop not null;
alter table reservations alter column instance_id drop not null;
