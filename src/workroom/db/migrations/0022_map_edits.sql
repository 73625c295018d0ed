-- What people change on the map of a conversation, beside what its agents order. Of the same thing done again after the same
-- message only the last is kept.
create table map_edits (
    mandate_id uuid not null references mandates on delete cascade,
    conversation_id uuid not null,
    after_message_id uuid not null, -- it comes after what was ordered up to here, on every branch that has this message
    kind text not null check (kind in ('showLayer', 'fadeLayer', 'sortLayers', 'removeLayer', 'closeExtract')),
    layer text not null, -- which one it is about; '' when it is about none
    seq int not null, -- in which order they were made: numbers of one conversation, given under its lock
    payload jsonb not null,
    made_by uuid,
    made_at timestamptz not null,
    primary key (mandate_id, conversation_id, after_message_id, kind, layer),
    unique (mandate_id, conversation_id, seq),
    foreign key (mandate_id, conversation_id) references conversations on delete cascade,
    foreign key (mandate_id, after_message_id) references messages on delete cascade,
    foreign key (mandate_id, made_by) references users on delete set null (made_by)
);
create index map_edits_by_message on map_edits (mandate_id, after_message_id);
create index map_edits_by_maker on map_edits (mandate_id, made_by);
call protect('map_edits');
