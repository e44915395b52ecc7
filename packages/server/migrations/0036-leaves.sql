-- What each row commits to in the audit log: SHA-256 over the salt and what the row tells. Null in rows from
-- before, and in those of an older gateway: then whoever seals the log makes them. A salt alone is null once
-- the row no longer tells what its leaf commits to. A decision is stored with the hash of its leaf as well.
alter table webhook_events add column salt bytea, add column commitment bytea, add column leaf bytea;
alter table changes add column salt bytea, add column commitment bytea;

-- The amount as it was decided, once it has become another one.
alter table transactions add column decided_amount bigint;
