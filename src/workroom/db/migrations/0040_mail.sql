-- Forgotten passwords, and mails about getting in.

-- Whom people ask who cannot sign in, as an administrator wrote it for everybody to see.
alter table mandates add column contact text not null default '';

-- What a link is for. `device`: one's own, for another device; only such a link does not let its holder choose a new password
-- without the current one. `invitation`: from an administrator. `reset`: asked for on the sign-in page, sent by mail.
alter table login_links add column purpose text not null default 'device'
    check (purpose in ('device', 'invitation', 'reset'));
-- Until when this session may set the password without the current one; it may once.
alter table sessions add column resets_until timestamptz;

-- Mails on their way. A row goes when it was sent, when it has expired, or when an administrator dismisses it.
create table mails (
    mandate_id uuid not null references mandates on delete cascade,
    mail_id uuid not null,
    user_id uuid not null, -- to whom
    kind text not null check (kind in ('invitation', 'reset', 'passwordChanged')),
    recipient text not null,
    language text not null,
    -- The one-time link, sealed: it lets its holder in. Null: the mail has none.
    key_id text,
    sealed bytea,
    sender_name text not null default '', -- of the administrator who invites
    created_at timestamptz not null,
    expires_at timestamptz not null, -- from then on it is of no use
    state text not null default 'queued' check (state in ('queued', 'failed')),
    error_code text, -- of the last try
    error text, -- in the mail server's own words
    tries int not null default 0,
    lease_holder uuid,
    lease_epoch int not null default 0,
    not_before timestamptz,
    primary key (mandate_id, mail_id),
    foreign key (mandate_id, user_id) references users on delete cascade,
    check ((key_id is null) = (sealed is null))
);
create index mails_by_user on mails (mandate_id, user_id);
create index mails_to_send on mails (created_at) where state = 'queued';
create index mails_by_expiry on mails (expires_at);
call protect('mails');
-- Not the sealed links: whoever sends a mail reads it inside its mandate.
call open_to('mails', 'workroom_sweep', array[
    'select(mandate_id, mail_id, user_id, created_at, expires_at, state, tries, lease_holder, lease_epoch, not_before)',
    'delete', 'update(tries, lease_holder, lease_epoch, not_before)']);
