-- Whose key it is: an agent's, a provider connection's, or the organization's own (then its id). Before, all
-- keys of an organization were one space, and an agent's key could take the one that somebody else was about to use.
alter table idempotency_keys add column space uuid;

update idempotency_keys k set space = t.agent_id
from transactions t
where t.organization_id = k.organization_id and t.id = k.transaction_id;

update idempotency_keys set space = organization_id where space is null;

alter table idempotency_keys
  alter column space set not null,
  drop constraint idempotency_keys_pkey,
  add primary key (organization_id, space, key);
