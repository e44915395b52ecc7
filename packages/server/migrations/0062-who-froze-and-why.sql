-- Since when the organization is frozen, by whom (key_… or mem_…), and the reason that was given. Null while it is not
-- frozen, and for an organization that was frozen before these columns existed.
alter table organizations
  add column frozen_at timestamptz,
  add column frozen_by text,
  add column frozen_reason text;
