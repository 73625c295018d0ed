-- What a mandate has changed in the catalogue of models since it was shipped.

-- `changes` is a list of {"provider", "model", "before", "after"}; before and after are null (not there) or
-- {"entry": …, "strategy": …} in the JSON of the files the product ships. The last `after` of a model counts; a model nobody
-- changed is as it was shipped.
create table model_catalogue_revisions (
    mandate_id uuid not null references mandates on delete cascade,
    revision int not null check (revision > 0),
    made_at timestamptz not null,
    made_by uuid, -- null: whoever made it is gone
    origin text not null check (origin in ('edit', 'file', 'undo')),
    undone_revision int,
    changes jsonb not null,
    primary key (mandate_id, revision),
    check ((origin = 'undo') = (undone_revision is not null)),
    foreign key (mandate_id, undone_revision) references model_catalogue_revisions,
    foreign key (mandate_id, made_by) references users on delete set null (made_by)
);
create index model_catalogue_revisions_by_maker on model_catalogue_revisions (mandate_id, made_by);
create index model_catalogue_revisions_by_undone on model_catalogue_revisions (mandate_id, undone_revision);
call protect('model_catalogue_revisions');
-- History is written once: to undo is to write on.
revoke update, delete on model_catalogue_revisions from workroom_app;
