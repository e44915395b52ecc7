-- Who made a key: the id of the key that asked for it, or 'cli'. Null: made before this was kept, or by an
-- older gateway.
alter table api_keys add column created_by text;
