-- The list of issuers is in the code. A further issuer must not need a change of this table.
alter table card_connections drop constraint card_provider_is_known;
alter table card_connections add constraint card_provider_is_a_name check (provider ~ '^[a-z][a-z0-9_]{0,39}$');
