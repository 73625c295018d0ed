-- What somebody may do changes while their requests are under way. A request remembers the version of the rights it was let
-- in with; before it writes, it asks `hold_rights`, and writes nothing when it finds another version.
alter table users add column rights_version integer not null default 1;

-- Whoever takes rights away waits for the writes that were allowed before, and those that come later wait for them. Waiting is in
-- turn: many writes cannot keep a suspension out. (Rows that are locked `for share` could.)
create function lock_rights(mandate uuid) returns void language sql as $$
    select pg_advisory_xact_lock(hashtextextended('rights ' || mandate, 0))
$$;

create function hold_rights(mandate uuid, person uuid, version integer) returns boolean language plpgsql as $$
begin
    perform pg_advisory_xact_lock_shared(hashtextextended('rights ' || mandate, 0));
    return exists (select from users where mandate_id = mandate and user_id = person and rights_version = version);
end $$;

create function raise_rights_version() returns trigger language plpgsql as $$
begin
    perform lock_rights(new.mandate_id);
    new.rights_version := old.rights_version + 1;
    return new;
end $$;
create trigger rights_changed before update of role_id, status on users for each row
    when ((old.role_id, old.status) is distinct from (new.role_id, new.status))
    execute function raise_rights_version();

-- A role that says something else, for all who have it anywhere.
create function raise_rights_versions_of_role() returns trigger language plpgsql as $$
begin
    perform lock_rights(new.mandate_id);
    update users u set rights_version = rights_version + 1 where u.mandate_id = new.mandate_id
        and (u.role_id = new.role_id or exists (select from memberships m
            where m.mandate_id = u.mandate_id and m.user_id = u.user_id and m.role_id = new.role_id));
    return null;
end $$;
create trigger rights_changed after update of rules on roles for each row
    when (old.rules is distinct from new.rules) execute function raise_rights_versions_of_role();

-- A membership that ends or gets another role; a new one only adds.
create function raise_rights_version_of_member() returns trigger language plpgsql as $$
begin
    perform lock_rights(old.mandate_id);
    update users set rights_version = rights_version + 1
        where mandate_id = old.mandate_id and user_id = old.user_id;
    return null;
end $$;
create trigger rights_ended after delete on memberships for each row
    execute function raise_rights_version_of_member();
create trigger rights_changed after update of role_id on memberships for each row
    when (old.role_id is distinct from new.role_id) execute function raise_rights_version_of_member();
