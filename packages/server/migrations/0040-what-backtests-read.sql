-- What became of the money of a transaction, step by step: the instant of each change, and how the money
-- was booked from then on. Null while nothing has become of it. Changes from before are not known.
alter table transactions add column steps jsonb;

-- The backtest that runs for an organization: at most one, in whichever process. It ends by itself when
-- its process dies and nobody holds on to it any more.
create table backtests (
  organization_id uuid primary key references organizations (id),
  run_id uuid not null,
  held_until timestamptz not null
);
