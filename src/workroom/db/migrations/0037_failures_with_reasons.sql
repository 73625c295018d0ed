-- Why the last test of a provider failed: {"code": …, "message": …, "details": {…}, "at": …}. As long as it stands there, the
-- provider waits and none of its models is offered.
alter table model_providers add column failure jsonb;

-- Which provider and model a run failed with, and what the provider said about it, for the page to show beside the advice.
alter table runs add column error_details jsonb;
