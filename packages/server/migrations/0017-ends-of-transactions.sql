-- Which kinds of events an organization is sent. Null is the four of the specification. The others are stored and
-- sent only where they are named here.
alter table organizations add column webhook_events text[];

-- What such an event tells of its transaction as it was then: a transaction can change again.
alter table webhook_events add column outcome json;
