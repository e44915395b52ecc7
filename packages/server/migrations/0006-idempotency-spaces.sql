-- Whose key it is: an agent's, a provider connection's, or the organization's own (then its id). Before, all
-- keys of an organization were one space, and an agent's key could take the one that somebody else was about to use.
alter table idempotency_keys add column space uuid;

-- Only of decisions whose caller had a deadline: whether somebody has been told of it since. What nobody was told
-- of may still be taken back, when it was stored too late.
alter table idempotency_keys add column is_told boolean;

update idempotency_keys k set space = t.agent_id
from transactions t
where t.organization_id = k.organization_id and t.id = k.transaction_id;

update idempotency_keys set space = organization_id where space is null;

alter table idempotency_keys
  alter column space set not null,
  drop constraint idempotency_keys_pkey,
  add primary key (organization_id, space, key);
