-- Todos, and a trash for what agents and people delete: restored for thirty days, then swept.

-- Notes that are there already get the moment of this migration: an UPDATE would not see them through row-level security.
alter table notes add column updated_at timestamptz not null default now();
alter table notes alter column updated_at drop default;
alter table notes add column deleted_at timestamptz;
create index notes_by_deletion on notes (deleted_at) where deleted_at is not null;
call open_to('notes', 'workroom_sweep', '{select,delete}');

create table todos (
    mandate_id uuid not null references mandates on delete cascade,
    todo_id uuid not null,
    instance_id uuid not null,
    owner_id uuid not null,
    -- Where it was made, if in a conversation; it outlives that.
    conversation_id uuid,
    title text not null,
    done boolean not null default false,
    position int not null check (position >= 0),
    due date,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz,
    primary key (mandate_id, todo_id),
    foreign key (mandate_id, instance_id) references instances on delete cascade,
    foreign key (mandate_id, owner_id) references users on delete cascade,
    foreign key (mandate_id, conversation_id) references conversations on delete set null (conversation_id)
);
create index todos_by_instance on todos (mandate_id, instance_id, position);
create index todos_by_conversation on todos (mandate_id, conversation_id) where conversation_id is not null;
create index todos_by_deletion on todos (deleted_at) where deleted_at is not null;
call protect('todos');
call open_to('todos', 'workroom_sweep', '{select,delete}');
