-- The rules that flagged a spend when it was judged. Null is none, as nearly always, so that a decision does
-- not pay for it. They are apart from `flags`, which says what became unusual about the money afterwards.
alter table transactions add column flagged_by text[];
