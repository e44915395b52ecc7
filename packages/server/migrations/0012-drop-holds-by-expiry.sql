-- A migration of its own: together with the index that replaces it, this one would wait for readers while
-- it keeps writers waiting, and a transaction that reads before it writes would never end.
drop index holds_by_expiry;
