-- A draft of the next version of an active mandate names that mandate and the version that it was made from. Activating
-- it adds the version to the mandate and removes the draft. Null for all other mandates. There is no foreign key: a
-- mandate that was active is never removed, and every decision updates these rows.
alter table mandates
  add column draft_of uuid,
  add column draft_of_version integer;
