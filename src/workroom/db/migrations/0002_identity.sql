-- Who works here: mandates (tenants), their people, roles, workspaces (feature instances), and how people get in.

create table mandates (
    mandate_id uuid primary key,
    name text not null,
    created_at timestamptz not null
);
call protect('mandates');
call open_to('mandates', 'workroom_login', '{select}');
call open_to('mandates', 'workroom_metrics', '{select}');

create table roles (
    mandate_id uuid not null references mandates on delete cascade,
    role_id uuid not null,
    key text not null,
    name text not null,
    description text not null default '',
    builtin boolean not null default false,
    -- [{"objectKey": "data.user", "action": "read", "level": "GROUP"}, …]; read whole, written whole.
    rules jsonb not null,
    created_at timestamptz not null,
    primary key (mandate_id, role_id),
    unique (mandate_id, key)
);
call protect('roles');
call open_to('roles', 'workroom_login', '{select}');

create table users (
    mandate_id uuid not null references mandates on delete cascade,
    user_id uuid not null,
    login text not null,
    display_name text not null,
    password_hash text,
    role_id uuid not null,
    status text not null default 'active' check (status in ('active', 'suspended')),
    language text, -- null until they choose: then their browser's
    theme text not null default 'system',
    created_at timestamptz not null,
    last_seen_at timestamptz,
    primary key (mandate_id, user_id),
    unique (mandate_id, login),
    foreign key (mandate_id, role_id) references roles
);
create index users_by_login on users (login);
call protect('users');
call open_to('users', 'workroom_login', array['select', 'update(last_seen_at, password_hash)']);
call open_to('users', 'workroom_metrics', '{select}');

create table instances (
    mandate_id uuid not null references mandates on delete cascade,
    instance_id uuid not null,
    name text not null,
    slug text not null,
    feature text not null default 'workspace',
    tool_set text not null default 'core',
    status text not null default 'active' check (status in ('active', 'archived')),
    created_by uuid,
    created_at timestamptz not null,
    primary key (mandate_id, instance_id),
    unique (mandate_id, slug),
    foreign key (mandate_id, created_by) references users on delete set null (created_by)
);
call protect('instances');
call open_to('instances', 'workroom_metrics', '{select}');

-- Membership of a workspace. The role given here counts inside it, beside the person's own; null: only their own.
create table memberships (
    mandate_id uuid not null references mandates on delete cascade,
    instance_id uuid not null,
    user_id uuid not null,
    role_id uuid,
    created_at timestamptz not null,
    primary key (mandate_id, instance_id, user_id),
    foreign key (mandate_id, instance_id) references instances on delete cascade,
    foreign key (mandate_id, user_id) references users on delete cascade,
    foreign key (mandate_id, role_id) references roles
);
create index memberships_by_user on memberships (mandate_id, user_id);
call protect('memberships');
call open_to('memberships', 'workroom_login', '{select}');

-- Credentials are kept as SHA-256 of 256 random bits: nothing here lets anyone in.
create table sessions (
    mandate_id uuid not null references mandates on delete cascade,
    session_id uuid not null,
    user_id uuid not null,
    token_hash bytea not null,
    user_agent text not null default '',
    address text not null default '',
    created_at timestamptz not null,
    last_used_at timestamptz not null,
    expires_at timestamptz not null,
    primary key (mandate_id, session_id),
    foreign key (mandate_id, user_id) references users on delete cascade
);
create index sessions_by_token on sessions (token_hash);
create index sessions_by_expiry on sessions (expires_at);
call protect('sessions');
call open_to('sessions', 'workroom_login', array['select', 'insert', 'update(last_used_at, expires_at)']);
call open_to('sessions', 'workroom_sweep', '{select,delete}');
call open_to('sessions', 'workroom_metrics', '{select}');

create table api_tokens (
    mandate_id uuid not null references mandates on delete cascade,
    token_id uuid not null,
    user_id uuid not null,
    name text not null,
    prefix text not null,
    token_hash bytea not null,
    instance_id uuid,
    created_at timestamptz not null,
    expires_at timestamptz,
    last_used_at timestamptz,
    primary key (mandate_id, token_id),
    foreign key (mandate_id, user_id) references users on delete cascade,
    foreign key (mandate_id, instance_id) references instances on delete cascade
);
create index api_tokens_by_token on api_tokens (token_hash);
call protect('api_tokens');
call open_to('api_tokens', 'workroom_login', array['select', 'update(last_used_at)']);

create table login_links (
    mandate_id uuid not null references mandates on delete cascade,
    link_id uuid not null,
    user_id uuid not null,
    token_hash bytea not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    primary key (mandate_id, link_id),
    foreign key (mandate_id, user_id) references users on delete cascade
);
create index login_links_by_token on login_links (token_hash);
create index login_links_by_expiry on login_links (expires_at);
call protect('login_links');
call open_to('login_links', 'workroom_login', '{select,delete}');
call open_to('login_links', 'workroom_sweep', '{select,delete}');

-- Before anyone is known there is no mandate: attempts are counted per login and per address, hashed.
create table login_attempts (
    attempt_id uuid not null,
    subject bytea not null,
    at timestamptz not null
);
create index login_attempts_by_subject on login_attempts (subject, at);
create index login_attempts_by_time on login_attempts (at);
create index login_attempts_by_id on login_attempts (attempt_id);
alter table login_attempts enable row level security;
alter table login_attempts force row level security;
call open_to('login_attempts', 'workroom_login', '{select,insert,delete}');
call open_to('login_attempts', 'workroom_sweep', '{select,delete}');

create table audit (
    mandate_id uuid not null references mandates on delete cascade,
    entry_id uuid not null,
    at timestamptz not null,
    user_id uuid,
    -- The name as it was: it must stay readable when the person is gone.
    user_name text not null,
    action text not null,
    object_kind text not null,
    object_id uuid,
    details jsonb not null default '{}',
    address text not null default '',
    primary key (mandate_id, entry_id)
);
create index audit_by_object on audit (mandate_id, object_id);
call protect('audit');
call open_to('audit', 'workroom_login', '{insert}');
-- History is written once.
revoke update, delete on audit from workroom_app;
