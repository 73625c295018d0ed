-- What one model said is not what another would say: both are kept, each for whoever asks that model.
alter table digests drop constraint digests_pkey;
alter table digests add primary key (mandate_id, content_id, part, asked, model);
alter table digests add column stood_in_for text; -- the model that was asked first and could not answer

-- Who is asking a model just now, so that two processes do not pay for the same answer. What its process does not renew lapses.
create table digest_claims (
    mandate_id uuid not null references mandates on delete cascade,
    content_id uuid not null,
    part text not null,
    asked text not null,
    model text not null, -- which is asked first
    holder uuid not null,
    held_until timestamptz not null,
    primary key (mandate_id, content_id, part, asked, model),
    foreign key (mandate_id, content_id) references contents on delete cascade
);
call protect('digest_claims');
