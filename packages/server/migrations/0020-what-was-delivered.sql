-- Whether the vendor's answer that is kept, or was, is what was paid for. It outlasts the copy, so that nobody is
-- told later that nothing came. Null: no answer was kept, or it was kept by an older version.
alter table x402_payments add column delivered boolean;
