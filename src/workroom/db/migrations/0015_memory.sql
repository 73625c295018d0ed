-- Memory of a conversation: facts that stood in results of tools. They were found with the rights of one person, and are for
-- that person's answers alone.
create table memories (
    mandate_id uuid not null references mandates on delete cascade,
    memory_id uuid not null,
    conversation_id uuid not null,
    instance_id uuid not null,
    user_id uuid not null,
    key text not null check (key in ('entity:company', 'entity:amount', 'entity:date', 'entity:person')),
    value text not null,
    normalised text not null, -- two spellings of one thing have one
    source text not null check (source in ('tool', 'extraction', 'conversation', 'summary')),
    call_id uuid, -- the newest call in whose result it stood
    times int not null default 1, -- in how many results
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (mandate_id, memory_id),
    unique (mandate_id, conversation_id, user_id, key, normalised),
    foreign key (mandate_id, conversation_id) references conversations on delete cascade,
    foreign key (mandate_id, instance_id) references instances on delete cascade,
    foreign key (mandate_id, user_id) references users on delete cascade,
    foreign key (mandate_id, call_id) references tool_calls on delete set null (call_id)
);
create index memories_by_call on memories (mandate_id, call_id);
call protect('memories');

-- The cheap model has read this result for facts: it is asked once, whatever dies meanwhile.
alter table tool_calls add column read_for_facts boolean not null default false;

-- A summary of what was read with the rights of one person is for that person; null: for everybody in the conversation.
-- Those there are do not say what they were made of. They are made anew when they are due. (Not deleted row by row: that
-- would not see them through row-level security.)
truncate summaries;
alter table summaries add column read_for uuid;
alter table summaries drop constraint summaries_pkey;
alter table summaries add unique nulls not distinct (mandate_id, message_id, first_round, read_for);
