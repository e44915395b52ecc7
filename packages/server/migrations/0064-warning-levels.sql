-- The parts of the budget, in percent, at which the webhook is warned.
alter table mandate_versions add column warning_percents integer[] not null default '{80}';
