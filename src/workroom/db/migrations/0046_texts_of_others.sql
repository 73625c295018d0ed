-- Whose words a project has besides its blocks: what others wrote, or what was read elsewhere, is no instruction to an agent.

-- Null: nobody here has written the description; it was imported, or whoever did is gone.
alter table studio_projects add column described_by uuid;
alter table studio_projects add foreign key (mandate_id, described_by) references users on delete set null (described_by);
create index studio_projects_by_describer on studio_projects (mandate_id, described_by);
alter table studio_projects no force row level security;
update studio_projects set described_by = owner_id where changed_by = owner_id;
alter table studio_projects force row level security;

-- It contains what was read on the web or in files.
alter table personas add column from_outside boolean not null default false;
