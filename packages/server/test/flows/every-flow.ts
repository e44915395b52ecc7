import { describe, expect, inject } from 'vitest'
import { listStorageFiles, readSourceStatements, squeeze } from '../support/source-statements.ts'
import { acpFlow } from './acp-flow.ts'
import { analyticsFlow } from './analytics-flow.ts'
import { approvalsFlow } from './approvals-flow.ts'
import { backupFlow } from './backup-flow.ts'
import { cardSpendsFlow } from './card-spends-flow.ts'
import { cardsFlow } from './cards-flow.ts'
import { mandatesFlow } from './mandates-flow.ts'
import { membersFlow } from './members-flow.ts'
import { messagesFlow } from './messages-flow.ts'
import { pathsFlow } from './paths-flow.ts'
import { peopleFlow } from './people-flow.ts'
import { spendingFlow } from './spending-flow.ts'
import type { FlowStage } from './stage.ts'
import { tokensFlow } from './tokens-flow.ts'
import { upkeepFlow } from './upkeep-flow.ts'
import { webhooksFlow } from './webhooks-flow.ts'
import { x402OnChainFlow, x402WithoutChainFlow } from './x402-flow.ts'

export const hasChain = inject('chainEngine') !== ''

/** Everything that the gateway does, once. */
export function everyFlow(stage: () => FlowStage): void {
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
  describe('with messages', () => messagesFlow(stage))
  describe('with mandate tokens', () => tokensFlow(stage))
  describe('with sums', () => analyticsFlow(stage))
  describe('at its leisure', () => upkeepFlow(stage))
  describe('with a backup', () => backupFlow(stage))
}

/** SQL that no flow sends, and why. */
const ELSEWHERE: readonly (readonly [file: RegExp, why: string])[] = [
  [/^storage\/engine\/embedded\//, 'its upkeep, in test/storage/engine/embedded'],
  [
    /^storage\/engine\/(migrate|run-transaction|pooled|statistics)\.ts$/,
    'on both engines, in test/storage/engine',
  ],
  [/^storage\/backup\//, 'on both engines, in test/operator/backup'],
  [/^storage\/engine\/postgres.*\.ts$/, 'of the other engine'],
  [/^storage\/distributed\//, 'of purser migrate, in its distributed tests'],
  ...(hasChain ? [] : [[/^paths\/x402\//, 'some of it needs a chain'] as const]),
]

/** Fails if a statement of `storage/` is not among these texts, and names it. */
export function expectEveryStatement(sent: ReadonlySet<string>): void {
  const files = listStorageFiles().filter((file) => !ELSEWHERE.some(([other]) => other.test(file)))
  const statements = files.flatMap(readSourceStatements)
  expect(statements.length).toBeGreaterThan(100)
  const texts = [...sent].map(squeeze)
  const missing = statements.filter(({ matches }) => !texts.some(matches))
  expect(missing.map(({ name }) => name)).toEqual([])
}
