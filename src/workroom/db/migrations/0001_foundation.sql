-- How tenant data is protected: every table with a mandate_id goes through `protect`, once, in the migration that makes it.

create procedure protect(target regclass) language plpgsql as $$
begin
    execute format('alter table %s enable row level security', target);
    execute format('alter table %s force row level security', target);
    -- Fails closed: without a mandate the comparison is with null. The sub-select makes it one look-up per query.
    execute format(
        'create policy tenant on %s using (mandate_id = (select nullif(current_setting(''workroom.mandate'', true), '''')::uuid))',
        target);
    execute format('grant select, insert, update, delete on %s to workroom_app', target);
end $$;

comment on procedure protect is 'Row-level security for a table of tenant data: forced, fails closed, one policy named tenant.';

-- A system actor sees all mandates, but only on the tables, for the commands and in the columns named here.
-- A command is written as in GRANT: 'select', 'insert', 'delete', 'update(last_used_at)'.
create procedure open_to(target regclass, system_role name, commands text[]) language plpgsql as $$
declare
    command text;
    verb text;
begin
    foreach command in array commands loop
        verb := split_part(command, '(', 1);
        execute format('grant %s on %s to %I', command, target, system_role);
        execute format(
            case verb
                when 'insert' then 'create policy %I on %s for insert to %I with check (true)'
                else 'create policy %I on %s for ' || verb || ' to %I using (true)'
            end,
            system_role || '_' || verb, target, system_role);
    end loop;
end $$;

comment on procedure open_to is 'Lets a system actor across mandates: the named table, the named commands, nothing else.';
