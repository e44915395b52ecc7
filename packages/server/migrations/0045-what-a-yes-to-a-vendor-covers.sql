-- A person who approves a spend at a new vendor approves an amount. Until something is settled there, it
-- is the price that spends are compared with. Null where nobody was asked, or it was not kept.
alter table agent_vendors add column approved_amount bigint;

-- What people have said until now. Only an approval has a maximum, and the last one counts.
update agent_vendors v
set approved_amount = (
  select a.max_amount from approvals a
  where a.organization_id = v.organization_id and a.agent_id = v.agent_id and a.vendor = v.vendor
    and a.makes_known and a.max_amount is not null
  order by a.id desc limit 1)
where v.last_amount is null;
