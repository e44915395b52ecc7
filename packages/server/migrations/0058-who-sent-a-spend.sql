-- The key or member that sent the spend. Null for spends of an issuer, and for older ones. It has no foreign key,
-- because a decision must not pay for a look-up, and keys may be stored in a different place.
alter table transactions add column requested_by uuid;
