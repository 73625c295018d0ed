-- The provider reported far more than was asked: not believed, and billed at what was set aside for the call.
alter table billing add column implausible boolean not null default false;
