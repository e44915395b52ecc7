-- Whether mandate tokens may tell those they are for how large a single spend may be. It is no part of what a spend
-- is judged by. A gateway from before this column leaves it out, and then nothing is told.
alter table mandate_versions add column disclose_limits boolean not null default false;
