-- How long an organization keeps what it may let go of; null means for ever. Organizations that are there
-- already keep everything until somebody says otherwise; a new one gets its defaults when it is made.
alter table organizations
  add column details_kept_days integer,
  add column events_kept_days integer,
  add constraint details_are_kept_for_disputes check (details_kept_days >= 90),
  add constraint events_are_kept_for_repeats check (events_kept_days >= 7);

-- A transaction stays for ever. Its details and metadata may be removed, and then it says when.
alter table transactions
  alter column details drop not null,
  add column details_removed_at timestamptz;

-- How far an organization has let go of things, a row once something was removed.
create table removals (
  organization_id uuid primary key references organizations (id),
  -- Details of transactions up to this id are removed; the next search begins there.
  details_to uuid,
  -- Events from before are removed or about to be: whoever asks for one is told so.
  events_before timestamptz
);
