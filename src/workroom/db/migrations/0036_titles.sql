-- Where the title of a conversation is from: what a person wrote stays. Of those that are there it is not known.
alter table conversations add column titled_by text not null default 'person' check (titled_by in ('rules', 'model', 'person'));
alter table conversations alter column titled_by drop default;
