-- While the master key is changed, values under the key before are still there. Its check stays until none is left,
-- so that no gateway starts that could not open them. Null: there is one key.
alter table installation add column previous_master_key_check bytea;
