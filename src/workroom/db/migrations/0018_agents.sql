-- Agents are data: those people made, every version of them, who answers in a conversation, and what every agent is told.

create table agents (
    mandate_id uuid not null references mandates on delete cascade,
    agent_id uuid not null,
    instance_id uuid not null,
    owner_id uuid, -- null: whoever made it is gone; what is shared stays
    visibility text not null default 'MY' check (visibility in ('MY', 'GROUP', 'ALL')),
    -- Those of the newest version, so that lists need no join.
    version int not null,
    name text not null,
    description text not null,
    content jsonb not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz,
    primary key (mandate_id, agent_id),
    foreign key (mandate_id, instance_id) references instances on delete cascade,
    foreign key (mandate_id, owner_id) references users on delete set null (owner_id)
);
create index agents_by_instance on agents (mandate_id, instance_id);
create index agents_by_owner on agents (mandate_id, owner_id);
create index agents_by_deletion on agents (deleted_at) where deleted_at is not null;
call protect('agents');
call open_to('agents', 'workroom_sweep', '{select,delete}');

create table agent_versions (
    mandate_id uuid not null references mandates on delete cascade,
    agent_id uuid not null,
    version int not null,
    name text not null,
    content jsonb not null,
    made_by uuid,
    made_at timestamptz not null,
    restored_from int,
    primary key (mandate_id, agent_id, version),
    foreign key (mandate_id, agent_id) references agents on delete cascade,
    foreign key (mandate_id, made_by) references users on delete set null (made_by)
);
create index agent_versions_by_maker on agent_versions (mandate_id, made_by);
call protect('agent_versions');

-- Who shall answer, and who answered last. Without a foreign key: shipped agents have ids too, and no rows. Null: from before
-- there was a choice; the shipped assistant.
alter table conversations add column active_agent_id uuid;
alter table conversations add column ai_agent_id uuid;

-- The history by which a switch is noticed. A run knows the number of the last entry when it was asked for, so that every
-- branch of a conversation can tell which entries it has answered.
create table agent_switches (
    mandate_id uuid not null references mandates on delete cascade,
    conversation_id uuid not null,
    seq int not null,
    kind text not null check (kind in ('user', 'handoff', 'undo')),
    from_agent_id uuid not null,
    from_name text not null, -- as they were called then: agents are renamed and go
    to_agent_id uuid not null,
    to_name text not null,
    reason text not null default '',
    by_user_id uuid,
    at timestamptz not null,
    after_message_id uuid,
    answered_by uuid, -- the first answer that was made with it
    primary key (mandate_id, conversation_id, seq),
    foreign key (mandate_id, conversation_id) references conversations on delete cascade,
    foreign key (mandate_id, by_user_id) references users on delete set null (by_user_id),
    foreign key (mandate_id, after_message_id) references messages on delete set null (after_message_id),
    foreign key (mandate_id, answered_by) references messages on delete set null (answered_by)
);
create index agent_switches_by_person on agent_switches (mandate_id, by_user_id);
create index agent_switches_by_place on agent_switches (mandate_id, after_message_id);
create index agent_switches_by_answer on agent_switches (mandate_id, answered_by);
call protect('agent_switches');
alter table runs add column switch_seq int not null default 0;

-- What every agent is told: by the organisation (no instance, no user), in a workspace, by a person for themselves. Every
-- change is a row; the newest counts.
create table instructions (
    mandate_id uuid not null references mandates on delete cascade,
    instance_id uuid,
    user_id uuid,
    version int not null,
    text text not null,
    made_by uuid,
    made_by_name text not null,
    made_at timestamptz not null,
    unique nulls not distinct (mandate_id, instance_id, user_id, version),
    check (instance_id is null or user_id is null),
    foreign key (mandate_id, instance_id) references instances on delete cascade,
    foreign key (mandate_id, user_id) references users on delete cascade,
    foreign key (mandate_id, made_by) references users on delete set null (made_by)
);
create index instructions_by_maker on instructions (mandate_id, made_by);
create index instructions_by_person on instructions (mandate_id, user_id);
call protect('instructions');

-- And by whoever runs the platform: read by all mandates, written by the owner of the schema alone (`workroom instructions`).
create table platform_instructions (
    version int primary key,
    text text not null,
    made_at timestamptz not null
);
alter table platform_instructions enable row level security;
alter table platform_instructions force row level security;
create policy readable on platform_instructions for select using (true);
create policy operated on platform_instructions for insert to workroom_owner with check (true);
grant select on platform_instructions to workroom_app;
