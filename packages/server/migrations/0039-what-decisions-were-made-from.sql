-- What a decision was made from, so that it can be judged again: the number of the judging code, the
-- inputs that the record does not hold otherwise, and a hash of all of them. Null for decisions from
-- before, and for those that nothing was judged of. The inputs go with the details, the hash stays.
alter table transactions
  add column engine smallint,
  add column inputs text,
  add column inputs_hash bytea;
