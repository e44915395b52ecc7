-- The removal of old events keeps those that are still to be sent. It finds the entries of a decision by their id; this
-- index has all others, so a decision adds nothing to it.
create index webhook_queue_by_event on webhook_queue (organization_id, event_id) where id <> event_id;

-- How far the removal has looked, and from when on it begins again with the oldest. Null unless it has kept something:
-- a paused endpoint can keep any number of events, and no search may read all of them.
alter table removals
  add column deliveries_to uuid,
  add column events_to uuid,
  add column again_at timestamptz;
