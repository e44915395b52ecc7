import type { AuditEntry } from '@purser/sdk'
import type { LeafNames } from '../../src/words/leaf/pieces.ts'

/** A kind, the fields of the leaf, and its sentence. */
export type Case = readonly [kind: string, fields: Partial<AuditEntry>, sentence: string]

const NAMES: Readonly<Record<string, string>> = {
  'agent-1': 'Travel booker',
  mnd_1: 'Travel mandate',
  key_1: 'ci',
  mem_1: 'Ada Lindqvist',
  mem_2: 'Bo Sørensen',
  ven_1: 'sj.se',
  card_1: 'Hotels •••• 9920',
}
const SPEND = { amount: 120, currency: 'USD', vendor: 'sas.se', agentId: 'agent-1' }
export const names: LeafNames = {
  nameOf: (id) => NAMES[id],
  spendOf: (id) => (id === 'txn_1' || id === 'apr_1' ? SPEND : undefined),
  currencyOf: () => 'USD',
  timezone: 'UTC',
}

export const ADA = { actorId: 'mem_1', actorName: 'Ada Lindqvist' }
export const change = (subject: string, before: object | null, after: object | null) => ({
  ...ADA,
  ...{ subject, payload: { actor: { id: 'mem_1', name: 'Ada Lindqvist' }, before, after } },
})
export const decision = (fields: object) => ({
  ...{ actorId: 'agent-1', actorName: 'Travel booker' },
  payload: { amountMicros: '84000000', currency: 'USD', vendor: 'sas.se', ...fields },
})
export const event = (outcome: object | null, more: object = {}) => ({
  payload: { agentId: 'agent-1', outcome, ...more },
})
export const SIGN_IN = {
  memberId: 'mem_2',
  email: 'bo@example.com',
  addresses: ['203.0.113.7'],
  number: 3,
}
