-- What goes back to the vendor of the extensions that it offered, as it is sent. Null: nothing.
alter table x402_payments add column extensions json;
