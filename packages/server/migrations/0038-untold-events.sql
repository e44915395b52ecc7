-- Everything that happens is an event, because the audit log has all of it. Kinds that the organization had not
-- chosen are stored and not told: neither webhooks nor the feed have them.
alter table webhook_events add column is_untold boolean not null default false;
