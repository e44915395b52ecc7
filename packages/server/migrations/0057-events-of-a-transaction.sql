-- The events of a transaction and the test events, for filters of deliveries. The event of a decision has the
-- id of its transaction and needs no entry, so a decision writes nothing more.
create index webhook_events_by_transaction on webhook_events (organization_id, transaction_id, id)
  where transaction_id <> id;
create index webhook_events_of_tests on webhook_events (organization_id, id) where sample is not null;
