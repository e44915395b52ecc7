-- Lists and redeliveries of failed deliveries must not read the whole history. Only a delivery that fails gets an entry.
create index webhook_deliveries_failed on webhook_deliveries (organization_id, id)
  where status = 'failed';
