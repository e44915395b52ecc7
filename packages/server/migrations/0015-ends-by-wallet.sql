-- Before a payment is signed, what left its wallet since the balance was read is added up. While the index is
-- built, x402 payments wait; reads do not.
create index settled_payments_by_wallet on x402_payments (organization_id, wallet_id, ended_at)
  where state = 'settled';
