alter table x402_payments
  -- The transfer that the vendor names in its receipt. It is compared with the chain's when the payment ends.
  add column receipt text,
  -- What the vendor did that does not fit with the payment: a few entries of {kind, detail, at}. Null: nothing.
  add column anomalies jsonb;
