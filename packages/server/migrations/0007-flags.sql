-- What is unusual about a transaction, such as money that moved without being asked about. Null is nothing, as
-- nearly always, so that a decision does not pay for it.
alter table transactions add column flags text[];
