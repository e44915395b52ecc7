-- What is unusual about a transaction, such as money that moved without being asked about. Null is nothing, as
-- nearly always, so that a decision does not pay for it.
alter table transactions add column flags text[];

-- What was booked after the approval: [[instant in ms, held, settled], …]. A release leaves the figures that the money entered.
alter table transactions add column later_parts jsonb;
