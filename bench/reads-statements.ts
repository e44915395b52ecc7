/** The statements of bench/reads-history.ts. In all of them $1 is the organization. */

/** A version 7 id of the time, made from a text that differs from row to row. */
function idOf(at: string, seed: string): string {
  return `(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '7'
    || substr(md5(${seed}), 1, 3) || '8' || substr(md5(${seed}), 4, 15))::uuid`
}

/** A number from 0 to 1 that follows from the number of the row. */
function chance(number: string, salt: number): string {
  return `((hashint8extended(${number}, ${salt}) & 16777215) / 16777216.0)`
}

/** Tables for the time of writing: who spends, and the rows of one part. */
export const PREPARE = `
  create unlogged table spenders (
    number int, phase int, agent_id uuid, mandate_id uuid, primary key (number, phase));
  create unlogged table made (
    s bigint, id uuid, at timestamptz, agent_id uuid, mandate_id uuid, is_approved boolean)`

/** Each agent has had three mandates, one after the other, a third of the year each. */
export const ADD_SPENDERS = [
  `insert into spenders
   select n, phase, ${idOf("now() - interval '400 days' + n * interval '1 second'", "'a' || n")},
          ${idOf("now() - interval '399 days' + phase * interval '122 days' + n * interval '1 second'", "'m' || n || phase")}
   from generate_series(0, 999) n, generate_series(0, 2) phase where $1::uuid is not null`,
  `insert into agents (organization_id, id, name, status, external_id, tags, metadata, created_at, updated_at)
   select $1::uuid, agent_id, 'Agent ' || number, case when number % 300 = 299 then 'paused' else 'active' end,
          'crew/' || number, case when number % 500 = 7 then '{rare}'::text[] else '{team}' end, '{}',
          now() - interval '400 days', now()
   from spenders where phase = 0`,
  `insert into mandates (organization_id, id, agent_id, ancestor_ids, status, version, budget_total,
                         created_at, activated_at, revoked_at, updated_at)
   select $1::uuid, mandate_id, agent_id, '{}', case phase when 2 then 'active' else 'revoked' end, 1, 1000000000000000,
          began, began, case when phase < 2 then began + interval '121 days 16 hours' end, began
   from spenders, lateral (
     select now() - interval '365 days 1 hour' + phase * interval '121 days 16 hours' as began) b`,
  `insert into mandate_versions (organization_id, mandate_id, version, name, currency, timezone,
                                 budget_period, budget_total, rules, changed_at, policy_hash)
   select $1::uuid, mandate_id, 1, 'Mandate ' || number || ' ' || phase, 'USD', 'UTC', 'none', 1000000000000000, '[]', now(), 'bench'
   from spenders`,
]

export const ADD_SMALL_THINGS = [
  `insert into vendors (organization_id, id, host, name, category, x402_payees, card_aliases, created_at, updated_at)
   select $1::uuid, ${idOf("now() - n * interval '1 minute'", "'v' || n")}, 'v' || n || '.example', 'Vendor ' || n,
          'c' || n % 12, '[]', '[]', now(), now() from generate_series(0, 1999) n`,
  `insert into api_keys (organization_id, id, public_id, secret_hash, name, agent_ids, created_at, created_by)
   select $1::uuid, ${idOf("now() - n * interval '1 minute'", "'k' || n")}, 'psr_live_' || lpad(n::text, 10, '0'), '\\x00', 'Key ' || n,
          array[(select agent_id from spenders where number = n and phase = 0)], now(), 'cli'
   from generate_series(0, 499) n`,
  `insert into card_connections (organization_id, id, provider, name, livemode, status, fail_mode,
     deadline_ms, partial_approvals, pause_on_over_capture, created_at, updated_at)
   select $1::uuid, ${idOf('now()', "'connection' || name")}, 'generic', name, false, 'active', 'closed', 1500, false, false, now(), now()
   from unnest('{Issuer,Second}'::text[]) as name`,
  `insert into cards (organization_id, id, connection_id, external_id, agent_id, status, metadata, created_at, updated_at)
   select $1::uuid, ${idOf("now() - n * interval '1 minute'", "'card' || n")}, c.id, 'card-' || n,
          (select agent_id from spenders where number = n % 1000 and phase = 0),
          case when n >= 5000 then 'closed' when n % 1000 = 3 then 'paused' else 'active' end, '{}', now(), now()
   from generate_series(0, 104999) n, card_connections c where c.organization_id = $1::uuid and c.name = 'Issuer'`,
  `insert into wallets (organization_id, id, name, address, kind, sealed_secret, created_at)
   select $1::uuid, ${idOf("now() - n * interval '1 minute'", "'wallet' || n")}, 'Wallet ' || n,
          '0x' || lpad(to_hex(n), 40, '0'), 'local', '\\x00', now() from generate_series(0, 199) n`,
  `insert into webhook_endpoints (organization_id, id, url, events, is_paused, paused_at, created_at)
   select $1::uuid, ${idOf('now()', "'endpoint'")}, 'https://second.example', '{transaction.approved}', true, now(), now()`,
]

export const EMPTY_PART = 'truncate made'

/** $2: the first number, $3: how many, $4: the length of the year in ms, $5: the number of all. */
export const ADD_PART = `
  insert into made
  select s, ${idOf('at', 's::text')}, at, agent_id, mandate_id, ${chance('s', 1)} > 0.1
  from (
    select s, now() - interval '1 minute' - ($4::bigint * (1 - s::float / $5::bigint)) * interval '1 ms' as at,
           floor(1000 * power(${chance('s', 2)}, 3))::int as number,
           least(2, floor(3 * s::float / $5::bigint))::int as phase
    from generate_series($2::bigint, $2::bigint + $3::bigint - 1) s
  ) p join spenders using (number, phase)
  where $1::uuid is not null`

/** Findings of three rules, as long as those of real decisions. */
const DETAILS = `json_build_object('firstFailure', case when is_approved then null when s % 20011 = 5 then 'rare' else 'amount' end,
  'rules', json_build_array(
    json_build_object('id', 'amount', 'type', 'amount', 'result', 'pass', 'code', 'amount_ok', 'message', 'The amount is at most 50.00 USD.'),
    json_build_object('id', 'vendors', 'type', 'vendors', 'result', 'pass', 'code', 'vendor_ok', 'message', 'The vendor is on the list of allowed vendors.'),
    json_build_object('id', 'categories', 'type', 'categories', 'result', 'pass', 'code', 'category_ok', 'message', 'The category is not blocked.')))`

export const ADD_TRANSACTIONS = `
  insert into transactions (organization_id, id, agent_id, mandate_id, mandate_version, path, decision, status, code,
    amount, currency, vendor, category, reference, remaining_budget, details, held_amount, settled_amount,
    refunded_amount, expires_at, flags, flagged_by, external, approval_id, created_at)
  select $1::uuid, id, agent_id, mandate_id, 1,
         case when s % 100 = 1 then 'card' when s % 20 = 2 then 'x402' when s % 9973 = 3 then 'acp' else 'evaluate' end,
         case when is_approved then 'approved' else 'rejected' end,
         case when not is_approved then 'rejected' when is_held then 'held' when s % 1009 = 4 then 'refunded' else 'settled' end,
         case when is_approved then 'approved' when s % 20011 = 5 then 'new_vendor' else 'amount_above_max' end,
         case when s % 99991 = 6 then 900000000 else 1000 + s % 9973 end, 'USD',
         case when s % 1000003 = 7 then 'rare.example' else 'v' || floor(2000 * power(${chance('s', 3)}, 4))::int || '.example' end,
         case when s % 500009 = 8 then 'rare' else 'c' || s % 12 end, 'order-' || s, 1000000, ${DETAILS},
         case when is_held then 1000 else 0 end,
         case when is_approved and not is_held then 900000000 else 0 end,
         case when is_approved and not is_held and s % 1009 = 4 then 900000000 else 0 end,
         case when is_held then now() + interval '7 days' end,
         case when s % 50021 = 9 then '{ungoverned}'::text[] end, case when s % 30011 = 10 then '{watch}'::text[] end,
         case when s % 100 = 1 then jsonb_build_object('cardId', 'card_' || replace((md5((s % 3001)::text))::uuid::text, '-', '')) end,
         case when s % 100 = 11 then ${idOf('at', "'apr' || s")} end, at
  from made, lateral (select is_approved and s % 20021 = 12 as is_held) h where $1::uuid is not null`

/** Even numbers, so that rare events can come between. */
export const ADD_EVENTS = `
  insert into webhook_events (organization_id, id, kind, transaction_id, agent_id, occurred_at, number, salt, commitment,
    mandate_id, budget_total, budget_spent)
  select $1::uuid, id, case when is_approved then 'transaction.approved' else 'transaction.rejected' end, id, agent_id, at,
         1000 + 2 * s, '\\x00'::bytea, '\\x00'::bytea, null, null, null
  from made
  union all
  select $1::uuid, ${idOf('at', "'warn' || s")}, 'mandate.budget.warning', id, agent_id, at, 1001 + 2 * s, '\\x00'::bytea, '\\x00'::bytea,
         mandate_id, 1000000000, 800000000
  from made where s % 200003 = 13`

export const ADD_LEAVES = `
  insert into audit_leaves (organization_id, index, number, kind, subject, at, actor_id, commitment, hash)
  select $1::uuid, s, 1000 + 2 * s, case when is_approved then 'transaction.approved' else 'transaction.rejected' end,
         'txn_' || replace(id::text, '-', ''), at, agent_id::text, sha256(s::text::bytea), sha256(('h' || s)::bytea)
  from made order by s`

/** Every fifth event was sent, every fiftieth also to the second endpoint. */
export const ADD_DELIVERIES = [
  `insert into webhook_deliveries (organization_id, id, kind, body, status, attempts, last_attempt_at, last_status_code, created_at)
   select $1::uuid, id, case when is_approved then 'transaction.approved' else 'transaction.rejected' end, repeat('b', 500),
          case when s % 10005 = 5 then 'failed' when s % 100005 = 10 then 'canceled' else 'succeeded' end, 1, at, 200, at
   from made where s % 5 = 0`,
  `insert into webhook_deliveries (organization_id, id, kind, body, status, attempts, last_attempt_at, last_status_code,
                                   created_at, endpoint_id, event_id)
   select $1::uuid, ${idOf('at', "'second' || s")}, 'transaction.approved', repeat('b', 500), 'succeeded', 1, at, 200, at, e.id, made.id
   from made, webhook_endpoints e
   where e.organization_id = $1::uuid and s % 50 = 0`,
  `insert into webhook_attempts (organization_id, id, delivery_id, is_manual, outcome, url, request_headers, started_at)
   select $1::uuid, ${idOf('at', "'try' || s")}, id, false, 'succeeded', 'https://first.example', '{}', at
   from made where s % 5 = 0`,
]

export const ADD_APPROVALS = `
  insert into approvals (organization_id, id, agent_id, mandate_id, transaction_id, path, vendor, amount, currency, lifts,
    digest, status, asked, asked_by, makes_known, waits_ms, expires_at, created_at)
  select $1::uuid, ${idOf('at', "'apr' || s")}, agent_id, mandate_id, id, 'evaluate',
         case when s % 1000100 = 11 then 'rare.example' else 'v' || s % 700 || '.example' end, 1000, 'USD', '[]', md5(s::text),
         case when s % 500 = 11 then 'rejected' when s % 50100 = 211 then 'expired' else 'used' end, 1, '{}', false, 3600000,
         at + interval '1 hour', at
  from made where s % 100 = 11`

/** What waits now: approvals, and deliveries that were not tried yet. */
export const ADD_WAITING = [
  `update approvals set status = 'pending', expires_at = now() + interval '1 day' where organization_id = $1::uuid
     and id in (select id from approvals where organization_id = $1::uuid order by id desc limit 200)`,
  `insert into webhook_queue (organization_id, id, event_id, number, is_manual, due_at)
   select $1::uuid, id, id, number, false, now() + interval '1 day' from (
     select id, number from webhook_events where organization_id = $1::uuid order by number desc limit 25000) e
   where number % 10 <> 0`,
]

/** The background work is done: nothing is to be sealed, counted or told while lists are measured. */
export const MEET_WORKERS = [
  `update event_feeds set last_number = (select max(number) from webhook_events where organization_id = $1::uuid)
   where organization_id = $1::uuid`,
  `insert into audit_logs (organization_id, begun_after, size, last_number, frontier, signed_size, note)
   select $1::uuid, 0, leaves, f.last_number, '', leaves, 'bench'
   from event_feeds f, (select max(index) + 1 as leaves from audit_leaves where organization_id = $1::uuid) l
   where f.organization_id = $1::uuid
   on conflict (organization_id) do update
   set size = excluded.size, signed_size = excluded.size, note = 'bench', last_number = excluded.last_number`,
  `insert into analytics_books (organization_id, book, zone, state, counted_to, started_at)
   select $1::uuid, 1, 'UTC', 'shown', last_number, now() from event_feeds where organization_id = $1::uuid
   on conflict (organization_id, book) do update set state = 'shown', counted_to = excluded.counted_to`,
  `insert into message_cursors (organization_id, read_to, failed_to, paused_to)
   select $1::uuid, last_number, 'ffffffff-ffff-ffff-ffff-ffffffffffff', now() from event_feeds where organization_id = $1::uuid
   on conflict (organization_id) do update set read_to = excluded.read_to`,
]

/** For rows of an earlier day: nothing may be overdue while lists are measured. */
export const RENEW = [
  `update approvals set status = 'pending', expires_at = now() + interval '1 day' where (organization_id, id) in (
     select organization_id, id from approvals order by id desc limit 200)`,
  `update webhook_queue set due_at = now() + interval '1 day'`,
  `update transactions set expires_at = now() + interval '7 days' where status = 'held'`,
  'vacuum analyze approvals, webhook_queue',
]

export const ADD_BOUND_KEY = `
  insert into api_keys (organization_id, id, public_id, secret_hash, name, agent_ids, created_at, created_by)
  select $1::uuid, ${idOf('now()', "'bound'")}, $2, $3, 'Bound',
         (select array_agg(id) from (select id from agents where organization_id = $1::uuid order by id limit 3) a), now(), 'cli'`

export const FIND_SAMPLES = `
  with ranked as (
    select agent_id, count(*) as n from transactions where organization_id = $1::uuid group by agent_id
  ), busy as (select agent_id from ranked order by n desc limit 1)
  select (select agent_id from busy) as "busyAgent",
         (select agent_id from ranked order by n limit 1) as "quietAgent",
         (select id from mandates where organization_id = $1::uuid and agent_id = busy.agent_id order by created_at limit 1) as "firstMandate",
         (select id from mandates where organization_id = $1::uuid and agent_id = busy.agent_id order by created_at desc limit 1) as "lastMandate",
         (select id from approvals where organization_id = $1::uuid order by id offset 1000 limit 1) as "approval",
         (select id from transactions where organization_id = $1::uuid order by id offset 1000 limit 1) as "transaction",
         (select id from webhook_deliveries where organization_id = $1::uuid and event_id is null order by id limit 1) as "oldEvent",
         (select id from webhook_endpoints where organization_id = $1::uuid limit 1) as "endpoint",
         (select external->>'cardId' from transactions where organization_id = $1::uuid and path = 'card' order by id limit 1) as "card",
         (select id from card_connections where organization_id = $1::uuid and name = 'Issuer') as "connection"
  from busy`
