-- Heads of audit logs that a gateway kept outside of the store count only if they were written after this time: an
-- operator who opens a store that was put back to an earlier time accepts that it is behind them.
alter table installation add column heads_from timestamptz;
