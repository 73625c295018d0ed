-- Skills that people make: prompts with parameters, tools and examples. Every version is kept; the newest counts.

create table skills (
    mandate_id uuid not null references mandates on delete cascade,
    skill_id uuid not null,
    instance_id uuid not null,
    owner_id uuid, -- null: whoever made it is gone; what is shared stays
    visibility text not null default 'MY' check (visibility in ('MY', 'GROUP')),
    version int not null check (version > 0),
    shared_from int, -- the first version that members of the workspace see; null: it is private
    -- Those of the newest version, for lists and for names.
    name text not null,
    description text not null,
    content jsonb not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz,
    primary key (mandate_id, skill_id),
    foreign key (mandate_id, instance_id) references instances on delete cascade,
    foreign key (mandate_id, owner_id) references users on delete set null (owner_id)
);
-- `/name` means one of a person's own skills, else one that is shared: each of them once.
create unique index skills_by_own_name on skills (mandate_id, instance_id, owner_id, name) where deleted_at is null;
create unique index skills_by_shared_name on skills (mandate_id, instance_id, name)
    where visibility = 'GROUP' and deleted_at is null;
create index skills_by_owner on skills (mandate_id, owner_id);
create index skills_by_deletion on skills (deleted_at) where deleted_at is not null;
call protect('skills');
call open_to('skills', 'workroom_sweep', '{select,delete}');

create table skill_versions (
    mandate_id uuid not null references mandates on delete cascade,
    skill_id uuid not null,
    version int not null,
    content jsonb not null,
    made_by uuid,
    made_at timestamptz not null,
    restored_from int,
    primary key (mandate_id, skill_id, version),
    foreign key (mandate_id, skill_id) references skills on delete cascade,
    foreign key (mandate_id, made_by) references users on delete set null (made_by)
);
create index skill_versions_by_maker on skill_versions (mandate_id, made_by);
call protect('skill_versions');

-- What only its owner could see goes with them, be it in the trash; what is shared stays.
create function delete_private_things() returns trigger language plpgsql as $$
begin
    delete from skills where mandate_id = old.mandate_id and owner_id = old.user_id and visibility = 'MY';
    delete from agents where mandate_id = old.mandate_id and owner_id = old.user_id and visibility = 'MY';
    return old;
end $$;
create trigger private_things_go before delete on users for each row execute function delete_private_things();
