-- A hash of the payment token, which outlasts the token: a merchant that repeats the token in an order
-- much later must not bring it back into our tables. Null where no token is known.
alter table acp_checkouts add column token_digest bytea;
