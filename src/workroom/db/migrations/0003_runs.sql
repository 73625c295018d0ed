-- Conversations, the runs that answer in them, what the runs asked of tools, and everything they told while working.

create table conversations (
    mandate_id uuid not null references mandates on delete cascade,
    conversation_id uuid not null,
    instance_id uuid not null,
    owner_id uuid not null,
    title text not null default '',
    -- The newest message of the branch on the screen.
    leaf_id uuid,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (mandate_id, conversation_id),
    foreign key (mandate_id, instance_id) references instances on delete cascade,
    foreign key (mandate_id, owner_id) references users on delete cascade
);
create index conversations_by_instance on conversations (mandate_id, instance_id, updated_at);
call protect('conversations');

-- A tree: editing an earlier message begins another branch. Results of tools are not messages, they belong to their calls.
create table messages (
    mandate_id uuid not null references mandates on delete cascade,
    message_id uuid not null,
    conversation_id uuid not null,
    parent_id uuid,
    run_id uuid,
    role text not null check (role in ('user', 'assistant')),
    content jsonb not null,
    -- Given by the sender, and prefixed with who that is: sending the same input twice makes one message.
    client_id text,
    created_at timestamptz not null,
    primary key (mandate_id, message_id),
    unique (mandate_id, client_id),
    foreign key (mandate_id, conversation_id) references conversations on delete cascade,
    foreign key (mandate_id, parent_id) references messages on delete cascade
);
create index messages_by_conversation on messages (mandate_id, conversation_id);
call protect('messages');

-- The row is the truth about a run; the queue only rings. Whoever works on it holds a lease and has raised the epoch,
-- and every write names that epoch: a worker that stalled and comes back finds that its writes touch nothing.
create table runs (
    mandate_id uuid not null references mandates on delete cascade,
    run_id uuid not null,
    conversation_id uuid not null,
    instance_id uuid not null,
    user_id uuid not null,
    message_id uuid not null,
    last_message_id uuid not null,
    state text not null check (state in ('queued', 'running', 'paused', 'completed', 'maxRoundsReached',
        'budgetExceeded', 'stopped', 'error')),
    agent jsonb not null,
    epoch int not null default 0,
    lease_until timestamptz,
    stop_requested boolean not null default false,
    rounds int not null default 0,
    attempts int not null default 0,
    tool_calls int not null default 0,
    input_tokens bigint not null default 0,
    output_tokens bigint not null default 0,
    event_seq bigint not null default 0,
    error text,
    created_at timestamptz not null,
    started_at timestamptz,
    ended_at timestamptz,
    primary key (mandate_id, run_id),
    foreign key (mandate_id, conversation_id) references conversations on delete cascade,
    foreign key (mandate_id, message_id) references messages on delete cascade,
    foreign key (mandate_id, user_id) references users on delete cascade
);
create unique index one_live_run on runs (mandate_id, conversation_id) where state in ('running', 'paused');
create index runs_by_conversation on runs (mandate_id, conversation_id, created_at);
create index runs_to_do on runs (lease_until) where state in ('queued', 'running');
call protect('runs');
call open_to('runs', 'workroom_sweep', '{select}');
call open_to('runs', 'workroom_stream', array['select', 'update(event_seq)']);

create table tool_calls (
    mandate_id uuid not null references mandates on delete cascade,
    call_id uuid not null,
    run_id uuid not null,
    message_id uuid not null,
    position int not null,
    tool text not null,
    state text not null check (state in ('asked', 'started', 'finished')),
    result jsonb,
    duration_ms int,
    primary key (mandate_id, call_id),
    foreign key (mandate_id, run_id) references runs on delete cascade,
    foreign key (mandate_id, message_id) references messages on delete cascade
);
create index tool_calls_by_message on tool_calls (mandate_id, message_id, position);
call protect('tool_calls');

create table run_events (
    mandate_id uuid not null references mandates on delete cascade,
    run_id uuid not null,
    seq bigint not null,
    attempt int not null,
    event jsonb not null,
    at timestamptz not null default now(),
    primary key (mandate_id, run_id, seq),
    foreign key (mandate_id, run_id) references runs on delete cascade
);
call protect('run_events');
call open_to('run_events', 'workroom_stream', '{select,insert}');

create table notes (
    mandate_id uuid not null references mandates on delete cascade,
    note_id uuid not null,
    instance_id uuid not null,
    owner_id uuid not null,
    title text not null,
    text text not null,
    created_at timestamptz not null,
    primary key (mandate_id, note_id),
    foreign key (mandate_id, instance_id) references instances on delete cascade,
    foreign key (mandate_id, owner_id) references users on delete cascade
);
create index notes_by_instance on notes (mandate_id, instance_id, created_at);
call protect('notes');
