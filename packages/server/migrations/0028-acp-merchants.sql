-- What the directory knows of a vendor that speaks ACP: {apiBaseUrl, version, merchantIds, profileId, credentialHint,
-- webhookSecretHint}. Null: it does not. The two secrets are sealed. A gateway that is older leaves all three null.
alter table vendors
  add column acp jsonb,
  add column acp_credential bytea,
  add column acp_webhook_secret bytea,
  add constraint acp_merchant_has_a_credential check ((acp is null) = (acp_credential is null)) not valid,
  add constraint acp_webhook_secret_has_a_merchant check (acp is not null or acp_webhook_secret is null) not valid;

-- For whoever knows only the merchant that is paid.
create index acp_merchants on vendors (organization_id) where acp is not null;
