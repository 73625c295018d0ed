-- What a model said of contents: summaries of parts and of wholes, answers about pictures. Kept so that the same question
-- costs nothing, whoever of those who may read the file asks it. What people call their files is not in it.
create table digests (
    mandate_id uuid not null references mandates on delete cascade,
    content_id uuid not null,
    part text not null, -- what of it
    asked text not null, -- how: instructions, wish and language, as a hash
    digest jsonb not null,
    model text not null,
    created_at timestamptz not null,
    primary key (mandate_id, content_id, part, asked),
    foreign key (mandate_id, content_id) references contents on delete cascade
);
call protect('digests');
