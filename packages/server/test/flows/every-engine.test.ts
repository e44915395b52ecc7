import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reachOf } from '../../src/storage/distributed/reach.ts'
import { describeOnUsualEngine } from '../support/database.ts'
import { breachesOf } from '../support/statement-rules.ts'
import { everyFlow, expectEveryStatement, hasChain } from './every-flow.ts'
import { spendingFlow } from './spending-flow.ts'
import { type FlowStage, openFlowStage } from './stage.ts'

/*
 * Everything once, on the usual engine. `npm start` runs the embedded engine, so the deep suite sends
 * every statement to that one (every-engine.deep.test.ts). Here it runs the flow of spends only,
 * because this is the file with the most CPU.
 */

const sent = new Set<string>()

describeOnUsualEngine('the gateway', (engine) => {
  let opened: FlowStage
  beforeAll(async () => {
    opened = await openFlowStage(engine, hasChain, sent)
  })
  afterAll(() => opened?.stop())
  everyFlow(() => opened)
})

describe('the gateway on the embedded engine', () => {
  let opened: FlowStage
  beforeAll(async () => {
    opened = await openFlowStage('embedded', false, sent)
  })
  afterAll(() => opened?.stop())
  describe('with spends', () => spendingFlow(() => opened))
})

test('a flow sends every statement of storage', () => expectEveryStatement(sent))

/** Statements over all organizations. No request but a sign-in waits for them, and none of them locks rows to keep. */
const OVER_ORGANIZATIONS: readonly (readonly [text: RegExp, why: string])[] = [
  [
    /^select l\.organization_id .* as l where l\.due_at <= \$1$/,
    'each is then divided or claimed alone',
  ],
  [/^select o\.id from organizations o where \(select min\(q\.due_at\) from messages/, 'the same'],
  [/^select .* from x402_payments where state = 'held' and check_at/, 'each is then claimed alone'],
  [/^select .* from acp_checkouts where next_check_at <= \$1/, 'each is then claimed alone'],
  [/^select .* from card_authorizations where look_at <= \$1/, 'each is then claimed alone'],
  [/^select .* from transactions where status = 'held' and expires_at/, 'each is then swept alone'],
  [/^select .* from approvals where status = 'pending' and expires_at <= \$1 .* group/, 'each'],
  [
    /^select .* from past_counts where true .* order by started_at limit/,
    'each is then counted alone',
  ],
  [/^select .* from webhook_redeliveries where status = 'running'/, 'each is continued alone'],
  [/^select .* from webhook_url_sealings where organization_id > \$1/, 'each is sealed alone'],
  [
    /^select .* from vendor_pasts where true .* order by started_at limit/,
    'each is then learned alone',
  ],
  [/^select .* from organizations o left join removals r .* order by o\.id/, 'each is swept alone'],
  [/^select .* from event_feeds f join organizations o .* order by f\./, 'each is counted alone'],
  [/^select f\.organization_id .* from event_feeds f left join message_cursors/, 'each read alone'],
  [/^select f\.organization_id .* from message_chats h join event_feeds f/, 'each is read alone'],
  [/^select c\.organization_id .* from message_cursors c where/, 'each is then read alone'],
  [/^select id from organizations where id > \$1 order by id/, 'each is then sealed again alone'],
  [/^select f\.organization_id as .* from event_feeds f left join audit_logs/, 'each sealed alone'],
  [
    /^select count\(\*\) as count, min\(\w+\) as since from \(select \w+ from \w+ where [^)]* limit \$\d\) \w$/,
    'bounded, at most once in ten seconds, for the metrics',
  ],
  [/^select \(select count\(\*\) from \(select 1 from \w+ .*as since$/, 'for the metrics too'],
  [/^select min\(n\.since\) as since from \(select \(select e\.occurred_at/, 'for the metrics too'],
  [/^select count\(\*\) as count from \(select 1 from audit_stops limit \$1\) s$/, 'the same'],
  [/^select coalesce\(sum\(n\.behind\), 0\)::bigint as count from \(select f\./, 'the same'],
  [/^select \(select count\(\*\) from \(select 1 from webhook_queue/, 'read by purser doctor'],
  [/^select count\(\*\) as count, min\(\w/, 'read by purser doctor'],
  [/^select count\(\*\) as count, min\(least\(/, 'read by purser doctor'],
  [/^select .* from wallets order by id desc limit \$1$/, 'read by purser doctor'],
  [/^select distinct r\.url from \( select o\.webhook_url/, 'read by purser doctor'],
  [/^select count\(\*\) as count from \( select 1 from webhook_endpoints/, 'for the metrics'],
  [
    /^select \(select count\(\*\) from \( select 1 from webhook_endpoints p join .* as since$/,
    'for the metrics',
  ],
  [/^\(select 1 from message_chats limit 1\) union all \(select 1/, 'once in ten seconds'],
  [/^select 1 from audit_stops limit 1$/, 'asked by whoever watches the gateway'],
  [/^select id, name, plan, .* from organizations order by created_at/, 'for the operator'],
  [
    /^select m\.organization_id .* a\.secret from members m/,
    'at most 20 that a sign-in is good for',
  ],
  [
    /^select m\.organization_id .* from members m join recovery_codes c/,
    'at most 20 that a sign-in is good for',
  ],
  [/^select id, name from organizations limit 2$/, 'at most a few times a second, for one name'],
  [/^select count\(\*\) as count from organizations$/, 'asked once, before there is the first'],
  [/^delete from idempotency_keys where \(organization_id, space, key\) in/, 'in one table'],
  [/^delete from token_revocations where \(organization_id, kind/, 'in one table'],
  [/^delete from limit_counters where \(organization_id, key\) in/, 'in one table'],
  [/^delete from messages where \(organization_id, id\) in/, 'in one table'],
  [/^update x402_payments p set delivery = null/, 'in one table'],
  [
    /^delete from card_health where \(organization_id, connection_id, hour, writer\) in/,
    'in one table',
  ],
]

test('every statement can be distributed', () => {
  const squeezed = [...sent].map((text) => text.replace(/\s+/g, ' ').trim())
  const isOverAll = (text: string): boolean => OVER_ORGANIZATIONS.some(([all]) => all.test(text))
  const broken = [...new Set(squeezed)].flatMap((text) =>
    breachesOf(text)
      .filter(({ rule }) => rule !== 1 || !isOverAll(text))
      .map(({ rule, what }) => `rule ${rule}, ${what}: ${text}`),
  )
  expect(broken).toEqual([])
})

test('the nodes of a distributed store that a statement needs follow from its text', () => {
  const isOverAll = (text: string): boolean => OVER_ORGANIZATIONS.some(([all]) => all.test(text))
  const misread = [...sent]
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .filter((text) => {
      const isOfOne = breachesOf(text).every(({ rule }) => rule !== 1) && !isOverAll(text)
      const reach = reachOf({ text })
      return isOfOne ? reach === 'all' : reach !== 'all'
    })
  expect(misread).toEqual([])
})
