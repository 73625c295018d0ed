-- Which agent wrote a version of a file, for the person in made_by. Without a foreign key: shipped agents have ids too, and no
-- rows. Its name as it was then.
alter table file_versions add column agent_id uuid;
alter table file_versions add column agent_name text not null default '';
alter table file_versions add column run_id uuid;
alter table file_versions add foreign key (mandate_id, run_id) references runs on delete set null (run_id);
create index file_versions_by_run on file_versions (mandate_id, run_id) where run_id is not null;
