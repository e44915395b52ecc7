import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { describeOnEveryEngine } from '../support/database.ts'
import { listStorageFiles, readSourceStatements } from '../support/source-statements.ts'
import { breachesOf } from '../support/statement-rules.ts'
import { acpFlow } from './acp-flow.ts'
import { analyticsFlow } from './analytics-flow.ts'
import { approvalsFlow } from './approvals-flow.ts'
import { cardSpendsFlow } from './card-spends-flow.ts'
import { cardsFlow } from './cards-flow.ts'
import { mandatesFlow } from './mandates-flow.ts'
import { membersFlow } from './members-flow.ts'
import { pathsFlow } from './paths-flow.ts'
import { peopleFlow } from './people-flow.ts'
import { spendingFlow } from './spending-flow.ts'
import { type FlowStage, openFlowStage } from './stage.ts'
import { tokensFlow } from './tokens-flow.ts'
import { upkeepFlow } from './upkeep-flow.ts'
import { webhooksFlow } from './webhooks-flow.ts'
import { x402OnChainFlow, x402WithoutChainFlow } from './x402-flow.ts'

/*
 * Everything once, on both engines. Other suites run on one of them, which is PostgreSQL where there
 * is one; but `npm start` runs the embedded engine, and so it is sent every statement here.
 */

const hasChain = inject('chainEngine') !== ''
const sent = { embedded: new Set<string>(), postgres: new Set<string>() }

describeOnEveryEngine('the gateway', (engine) => {
  let opened: FlowStage
  beforeAll(async () => {
    opened = await openFlowStage(engine, hasChain, sent[engine])
  })
  afterAll(() => opened?.stop())
  const stage = () => opened

  describe('around the money', () => peopleFlow(stage))
  describe('with people who sign in', () => membersFlow(stage))
  describe('with mandates', () => mandatesFlow(stage))
  describe('with spends', () => spendingFlow(stage))
  describe('for paths', () => pathsFlow(stage))
  describe('with webhooks', () => webhooksFlow(stage))
  describe('with x402', () => (hasChain ? x402OnChainFlow : x402WithoutChainFlow)(stage))
  describe('with cards', () => cardsFlow(stage))
  describe('with spends by card', () => cardSpendsFlow(stage))
  describe('with checkouts', () => acpFlow(stage))
  describe('with approvals', () => approvalsFlow(stage))
  describe('with mandate tokens', () => tokensFlow(stage))
  describe('with sums', () => analyticsFlow(stage))
  describe('at its leisure', () => upkeepFlow(stage))
})

/** SQL that no flow sends, and why. */
const ELSEWHERE: readonly (readonly [file: RegExp, why: string])[] = [
  [/^storage\/engine\/embedded\//, 'its upkeep, in test/storage/engine/embedded'],
  [/^storage\/engine\/(migrate|pooled|statistics)\.ts$/, 'on both engines, in test/storage/engine'],
  [/^storage\/engine\/postgres.*\.ts$/, 'of the other engine'],
  ...(hasChain ? [] : [[/^paths\/x402\//, 'some of it needs a chain'] as const]),
]

test('the embedded engine is sent every statement of storage', () => {
  const files = listStorageFiles().filter((file) => !ELSEWHERE.some(([other]) => other.test(file)))
  const statements = files.flatMap(readSourceStatements)
  expect(statements.length).toBeGreaterThan(100)
  const texts = [...sent.embedded]
  const missing = statements.filter(({ matches }) => !texts.some(matches))
  expect(missing.map(({ name }) => name)).toEqual([])
})

/** Statements over all organizations. No request but a sign-in waits for them, and none of them locks rows to keep. */
const OVER_ORGANIZATIONS: readonly (readonly [text: RegExp, why: string])[] = [
  [
    /^select o\.id from organizations o where \(select min\(q\.due_at\)/,
    'each is then claimed alone',
  ],
  [/^select .* from x402_payments where state = 'held' and check_at/, 'each is then claimed alone'],
  [/^select .* from acp_checkouts where next_check_at <= \$1/, 'each is then claimed alone'],
  [/^select .* from card_authorizations where look_at <= \$1/, 'each is then claimed alone'],
  [/^select .* from transactions where status = 'held' and expires_at/, 'each is then swept alone'],
  [/^select .* from approvals where status = 'pending' and expires_at <= \$1 group/, 'each alone'],
  [/^select .* from past_counts order by started_at limit/, 'each is then counted alone'],
  [/^select .* from webhook_url_sealings where organization_id > \$1/, 'each is sealed alone'],
  [/^select .* from vendor_pasts order by started_at limit/, 'each is then learned alone'],
  [/^select .* from organizations o left join removals r .* order by o\.id/, 'each is swept alone'],
  [/^select .* from event_feeds f join organizations o .* order by f\./, 'each is counted alone'],
  [/^select id from organizations where id > \$1 order by id/, 'each is then sealed again alone'],
  [/^select f\.organization_id as .* from event_feeds f left join audit_logs/, 'each sealed alone'],
  [/^select 1 from audit_stops limit 1$/, 'asked by whoever watches the gateway'],
  [/^select id, name, plan, .* from organizations order by created_at/, 'for the operator'],
  [
    /^select m\.organization_id .* a\.secret from members m/,
    'at most 20 that a sign-in is good for',
  ],
  [/^select count\(\*\) as count from organizations$/, 'asked once, before there is the first'],
  [/^delete from idempotency_keys where \(organization_id, space, key\) in/, 'in one table'],
  [/^delete from token_revocations where \(organization_id, kind/, 'in one table'],
  [/^delete from limit_counters where \(organization_id, key\) in/, 'in one table'],
  [/^update x402_payments p set delivery = null/, 'in one table'],
  [
    /^delete from card_health where \(organization_id, connection_id, hour, writer\) in/,
    'in one table',
  ],
]

test('every statement can be distributed', () => {
  const squeezed = [...sent.embedded, ...sent.postgres].map((text) =>
    text.replace(/\s+/g, ' ').trim(),
  )
  const isOverAll = (text: string): boolean => OVER_ORGANIZATIONS.some(([all]) => all.test(text))
  const broken = [...new Set(squeezed)].flatMap((text) =>
    breachesOf(text)
      .filter(({ rule }) => rule !== 1 || !isOverAll(text))
      .map(({ rule, what }) => `rule ${rule}, ${what}: ${text}`),
  )
  expect(broken).toEqual([])
})
