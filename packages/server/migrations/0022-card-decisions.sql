-- More of a purchase that was already approved. Null is no, as nearly always, so that a decision does not pay for it.
alter table transactions add column is_increment boolean;

-- A card can be checked without any money. What is there keeps the stricter bound, so nothing has to be looked at again.
alter table transactions
  drop constraint amounts_are_not_negative,
  add constraint amounts_are_not_negative
    check (amount >= 0 and held_amount >= 0 and settled_amount >= 0 and refunded_amount >= 0) not valid;
