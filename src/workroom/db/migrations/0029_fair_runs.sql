-- The rights of everybody with a run under way are asked in one statement, across mandates.
call open_to('instances', 'workroom_login', array['select(mandate_id, instance_id, created_by)']);

-- Where a run that waits for a slot stands in its organisation's queue; null: it does not wait, or too far behind to tell.
alter table runs add column place int;
grant update (place) on runs to workroom_stream;

-- The scheduler gives slots to whoever is next, across mandates.
call open_to('runs', 'workroom_sweep', array['update(epoch, lease_until, state, started_at, place)']);
