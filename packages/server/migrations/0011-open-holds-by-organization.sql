-- Holds that are overdue are looked for organization by organization, so that none waits for another's.
-- Only open holds are in the index. While it is built, decisions wait; reads do not.
create index open_holds on transactions (organization_id, expires_at, id) where status = 'held';
