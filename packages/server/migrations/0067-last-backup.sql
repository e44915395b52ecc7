-- When `purser backup` last wrote a complete file. The row belongs to the store and not to its data, so a backup does
-- not contain it.
create table store_backup (
  is_only boolean primary key default true check (is_only),
  taken_at timestamptz not null
);
