import { describe, expect, test } from 'vitest'
import { breachesOf } from './statement-rules.ts'

const rulesBroken = (text: string): number[] => [
  ...new Set(breachesOf(text).map(({ rule }) => rule)),
]

describe('a statement that can be distributed', () => {
  test.each([
    'select id from agents where organization_id = $1 and id = $2 for update',
    'select a.id from organizations o left join agents a on a.organization_id = o.id where o.id = $1',
    'select 1 from unnest($2::uuid[]) as w (id) join mandates m on m.organization_id = $1 and m.id = w.id',
    `select id from mandates where organization_id = $1 and id = any(array(
       select own.id from mandates own where own.organization_id = $1))`,
    `with recursive tree (id) as (
       select id from mandates where organization_id = $1
       union select down.id from tree join mandates down on down.organization_id = $1)
     select id from tree`,
    `with feed as (update event_feeds set last_number = last_number + $2 where organization_id = $1
                   returning last_number)
     insert into webhook_events (organization_id, id) select $1, e.id from feed, unnest($3::uuid[]) as e (id)`,
    `insert into webhook_queue (organization_id, id)
     select f.organization_id, e.id from event_feeds f, unnest($2::uuid[]) as e (id) where f.organization_id = $1`,
    `insert into plan_usage (organization_id, month) values ($1, $2)
     on conflict (organization_id, month) do update set month = excluded.month where plan_usage.month is null`,
    `insert into webhook_deliveries (organization_id, id)
     select distinct on (s.id) $1::uuid, s.id from unnest($2::uuid[]) as s (id)`,
    'select public_id from api_keys where public_id = $1',
    `with revoked as (update api_keys set revoked_at = $1 where public_id = $2 returning public_id)
     select pg_notify($3, public_id) from revoked`,
    'select q.id from organizations o join webhook_queue q on q.organization_id = o.id where o.id = $1',
    "select 1 from x402_payments where organization_id = $1 and proof is distinct from 'unsigned'",
  ])('is %s', (text) => {
    expect(breachesOf(text)).toEqual([])
  })
})

describe('a statement that cannot be distributed', () => {
  test.each([
    ['a table without its organization', 'select id from agents where id = $1', [1]],
    [
      'tables of the workers and of the coordinator',
      'select 1 from agents a where a.organization_id = $1 and exists (select 1 from api_keys k where k.organization_id = $1)',
      [8],
    ],
    [
      'a query within values',
      'insert into plan_usage (organization_id, month) values ($1, (select max(month) from unnest($2::text[]) as m (month)))',
      [2],
    ],
    [
      'a text that an update casts to an array',
      'update agents a set tags = u.tags::text[] from unnest($2::uuid[], $3::text[]) as u (id, tags) where a.organization_id = $1 and a.id = u.id',
      [4],
    ],
    [
      'one of two tables without it',
      'select 1 from agents a join mandates m on m.agent_id = a.id where a.organization_id = $1',
      [1],
    ],
    [
      'a query within it that reads all',
      'select 1 from agents where organization_id = $1 and id in (select agent_id from mandates)',
      [1],
    ],
    [
      'organizations in a list',
      `update agents a set name = u.name from unnest($1::uuid[], $2::text[]) as u (organization_id, name)
       where a.organization_id = u.organization_id`,
      [1],
    ],
    [
      'an organization under a condition',
      'select 1 from agents where (organization_id = $1 or id = $2)',
      [1],
    ],
    [
      'an insert that takes its organization from elsewhere',
      'insert into agents (organization_id, id) select u.o, u.id from unnest($1::uuid[]) as u (o, id)',
      [1],
    ],
    [
      'a second insert',
      `with stored as (insert into webhook_events (organization_id, id) values ($1, $2) returning id)
       insert into webhook_queue (organization_id, id) select $1, id from stored`,
      [2],
    ],
    [
      'a parameter that decides whether a part is done',
      `with dropped as (delete from webhook_queue where organization_id = $1 returning id)
       update webhook_attempts a set outcome = '' from dropped
       where $2::uuid[] is not null and a.organization_id = $1 and a.id = dropped.id`,
      [3],
    ],
    [
      'an insert under a condition on parameters alone',
      `insert into webhook_endpoints (organization_id, id) select $1::uuid, $2::uuid
       where $2::uuid = $1::uuid or exists (
         select 1 from webhook_endpoints k where k.organization_id = $1 and k.id = $2)`,
      [3],
    ],
    [
      'a parameter that is the condition',
      `with feed as (update event_feeds set last_number = 1 where organization_id = $1 returning 1)
       insert into webhook_queue (organization_id, id) select $1, $2 from feed where $3::boolean`,
      [3],
    ],
    [
      'arithmetic with times',
      `update agents set last_seen_at = $3 where organization_id = $1 and id = $2
       and last_seen_at <= $3::timestamptz - interval '1 minute'`,
      [4],
    ],
    [
      'arithmetic with a time and a parameter',
      'update agents set last_seen_at = last_seen_at + $3 where organization_id = $1 and id = $2',
      [4],
    ],
    [
      'a lock over organizations',
      'select id from webhook_queue where due_at <= $1 limit 10 for update skip locked',
      [1, 5],
    ],
    [
      'the name of a constraint',
      `insert into agents (organization_id, id) values ($1, $2)
       on conflict on constraint external_id_is_unique do nothing`,
      [6],
    ],
    [
      'a recursion over organizations',
      `with recursive share as (
         (select organization_id as id from webhook_queue order by organization_id limit 1)
         union all
         select next.id from share cross join lateral (
           select organization_id as id from webhook_queue where organization_id > share.id limit 1) as next)
       select id from share`,
      [1, 7],
    ],
    [
      'a notification from a table of organizations',
      `with changed as (update agents set name = $2 where organization_id = $1 returning id)
       select pg_notify($3, id::text) from changed`,
      [9],
    ],
  ])('has %s', (_, text, rules) => {
    expect(rulesBroken(text)).toEqual(rules)
  })
})
