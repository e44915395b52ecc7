-- What is still to be recorded of sign-ins. A request adds to it in a short statement of its own or in the transaction of
-- the sign-in; a worker then writes the change and the event, which need the organization's feed. One row for what is told
-- as one: of an account, and a quarter of an hour. It is found without an organization, and has rows of accounts that do
-- not exist, so that nobody learns from the work which ones do.
create table sign_in_notes (
  organization_id uuid not null,
  -- What, whose and when: noted again, it is counted.
  name text not null,
  what text not null check (what in ('succeeded', 'failed', 'locked', 'refused', 'reset')),
  member_id uuid not null,
  email text not null,
  -- Of somebody who has come in.
  member_name text,
  number integer not null,
  -- How many of them were told already.
  told integer not null default 0,
  -- A few of those that it came from.
  addresses jsonb not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- Of a lock: for whom, and until when.
  scope text check (scope in ('address', 'everywhere', 'session')),
  locked_until timestamptz,
  -- When it is told, or the rest of it.
  due_at timestamptz not null,
  -- When it is removed, once all of it is told.
  ends_at timestamptz not null,
  primary key (organization_id, name)
);
create index sign_in_notes_by_due on sign_in_notes (due_at);
