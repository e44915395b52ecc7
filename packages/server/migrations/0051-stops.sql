-- How often spending of the organization was stopped: it was frozen, or an agent or a card was paused or
-- closed. Whoever stops raises the number in its transaction. A decision reads it before everything else
-- and compares it where it takes its numbers, so nothing is approved after a stop has committed.
alter table event_feeds add column stops bigint not null default 0;
