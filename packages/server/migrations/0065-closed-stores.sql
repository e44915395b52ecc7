-- Whether this store may be written. No row: it is open. The row belongs to the store and not to its data, so a backup
-- does not contain it.
create table store_state (
  is_only boolean primary key default true check (is_only),
  -- restoring: a restore is running, or was cut off. restored: a restore is complete, and its original may still run.
  -- behind: the store is older than a head that was kept outside of it. moving: `purser backup --move` is running, or
  -- was cut off. moved: the data lives elsewhere, for good. holding: open, but webhook deliveries wait.
  state text not null check (state in ('restoring', 'restored', 'behind', 'moving', 'moved', 'holding')),
  since timestamptz not null,
  -- The reason for the operator, with the time of the backup.
  note text not null
);

-- Triggers with this function are on the tables of a closed store, and on none of an open one, so an open store pays
-- nothing for them. The argument is the state.
create function refuse_closed_store() returns trigger language plpgsql as $$
begin
  raise exception 'The store is closed: %.', tg_argv[0] using errcode = 'PU001';
end $$;
