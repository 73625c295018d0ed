-- Memory of a conversation: what earlier rounds were about. A summary belongs to the answer it ends with, so it applies to
-- every branch that has that answer, and to no other.
create table summaries (
    mandate_id uuid not null references mandates on delete cascade,
    message_id uuid not null, -- the answer of the last round it covers
    first_round int not null,
    last_round int not null,
    conversation_id uuid not null,
    text text not null,
    created_at timestamptz not null,
    primary key (mandate_id, message_id, first_round),
    foreign key (mandate_id, message_id) references messages on delete cascade,
    foreign key (mandate_id, conversation_id) references conversations on delete cascade
);
create index summaries_by_conversation on summaries (mandate_id, conversation_id);
call protect('summaries');
