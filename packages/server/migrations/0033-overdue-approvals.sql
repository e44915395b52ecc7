-- Requests whose time is over are looked for once a second, over all organizations. Only what waits is in it.
create index overdue_approvals on approvals (expires_at) where status = 'pending';
