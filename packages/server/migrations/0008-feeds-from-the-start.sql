-- A key is found without its organization. So the table of keys stays in one place when the others are
-- distributed by organization, and holds on to none of them.
--
-- This comes first: it waits for whoever creates an organization at this moment, so that the next statement
-- sees every organization that was made without a feed.
alter table api_keys drop constraint api_keys_organization_id_fkey;

-- Every organization has its feed from the start, so that storing an event only updates a row.
insert into event_feeds (organization_id, last_number)
select id, 0 from organizations
on conflict (organization_id) do nothing;
