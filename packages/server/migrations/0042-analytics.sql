-- A book holds all sums of an organization in one time zone. One is shown; another is filled from the record beside it
-- when the zone changes or the operator asks for it, and takes its place when it has caught up. An organization from
-- before, or one that an older gateway makes, gets its first book from the worker.
create table analytics_books (
  organization_id uuid not null,
  book int not null,
  zone text not null,
  state text not null,
  -- The sums are those of the organization right after this number of its feed.
  counted_to bigint not null,
  -- While it is filled: the last transaction that was counted, and where the ids of later decisions begin.
  filled_to uuid,
  fill_end uuid,
  filled_count bigint not null default 0,
  started_at timestamptz not null,
  primary key (organization_id, book),
  constraint analytics_book_state_is_known check (state in ('filling', 'filled', 'shown', 'retired'))
);

create unique index one_shown_analytics_book
  on analytics_books (organization_id) where state = 'shown';

-- What decisions that are alike in everything come to on one day. All that is counted is here, and a step of counting
-- writes nothing else. A key is empty where there is none. Amounts are micros; a sum of many can be larger than a
-- bigint. The room left in each page lets a row change in place.
create table analytics_cells (
  organization_id uuid not null,
  book int not null,
  day date not null,
  agent text collate "C" not null,
  mandate text collate "C" not null,
  vendor text collate "C" not null,
  category text collate "C" not null,
  path text collate "C" not null,
  rule text collate "C" not null,
  code text collate "C" not null,
  currency text collate "C" not null,
  approved_count numeric not null,
  held numeric not null,
  settled numeric not null,
  refunded numeric not null,
  rejected_count numeric not null,
  rejected_amount numeric not null,
  asked_count numeric not null,
  asked_amount numeric not null,
  used_count numeric not null,
  used_amount numeric not null,
  primary key (organization_id, book, day, agent, mandate, vendor, category, path, rule, code, currency)
) with (fillfactor = 70);

-- Every day that has cells. A day that is over is rolled into sums, one grouping after the other; then questions read
-- these instead of its cells, until something of the day changes again.
create table analytics_days (
  organization_id uuid not null,
  book int not null,
  day date not null,
  is_rolled boolean not null,
  -- How many groupings are rolled since it was touched.
  groupings_rolled smallint not null,
  touched_at timestamptz not null,
  primary key (organization_id, book, day)
) with (fillfactor = 70);

create index analytics_days_unrolled on analytics_days (organization_id, book, day) where not is_rolled;

-- The sums of a day for each combination of at most two dimensions. `grouping_bits` says which dimensions the keys are of.
create table analytics_sums (
  organization_id uuid not null,
  book int not null,
  grouping_bits smallint not null,
  day date not null,
  -- The groups that are not among the largest of the day.
  is_rest boolean not null,
  currency text collate "C" not null,
  key_1 text collate "C" not null,
  key_2 text collate "C" not null,
  approved_count numeric not null,
  held numeric not null,
  settled numeric not null,
  refunded numeric not null,
  rejected_count numeric not null,
  rejected_amount numeric not null,
  asked_count numeric not null,
  asked_amount numeric not null,
  used_count numeric not null,
  used_amount numeric not null,
  primary key (organization_id, book, grouping_bits, day, is_rest, currency, key_1, key_2)
);
