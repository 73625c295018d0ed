-- Conversations can be pinned by every reader for themselves, archived, and deleted into a trash for thirty days.

alter table conversations
    add column deleted_at timestamptz,
    add column archived_at timestamptz;
create index conversations_by_deletion on conversations (deleted_at) where deleted_at is not null;
-- Runs of a conversation in the trash end, and what was there for long is removed.
grant select (deleted_at) on conversations to workroom_sweep;
call open_to('conversations', 'workroom_sweep', '{delete}');

create table conversation_pins (
    mandate_id uuid not null references mandates on delete cascade,
    conversation_id uuid not null,
    user_id uuid not null,
    primary key (mandate_id, conversation_id, user_id),
    foreign key (mandate_id, conversation_id) references conversations on delete cascade,
    foreign key (mandate_id, user_id) references users on delete cascade
);
create index conversation_pins_by_user on conversation_pins (mandate_id, user_id);
call protect('conversation_pins');
