-- Plans: sessions of software that talks to us by a name of its own, and since when somebody is asked.

create table chat_sessions (
    mandate_id uuid not null references mandates on delete cascade,
    user_id uuid not null,
    instance_id uuid not null,
    session_id text not null, -- as the caller names it; nobody else's sessions can be named by it
    conversation_id uuid not null,
    created_at timestamptz not null,
    primary key (mandate_id, user_id, instance_id, session_id),
    foreign key (mandate_id, user_id) references users on delete cascade,
    foreign key (mandate_id, instance_id) references instances on delete cascade,
    foreign key (mandate_id, conversation_id) references conversations on delete cascade
);
create index chat_sessions_by_conversation on chat_sessions (mandate_id, conversation_id);
create index chat_sessions_by_instance on chat_sessions (mandate_id, instance_id);
call protect('chat_sessions');

alter table tool_calls add column asked_at timestamptz; -- when a person was asked; what is too old is not answered any more
