import type { Agent, Mandate } from '@purser/sdk'
import type { Snapshot } from '../../src/mandates/find-mandates.ts'
import { findMandates } from '../../src/mandates/find-mandates.ts'
import { toMistakeLine } from '../../src/mandates/mistake.ts'
import { makePlan } from '../../src/mandates/plan.ts'
import { readTexts } from '../../src/mandates/read-files.ts'

const AT = '2026-11-01T00:00:00.000Z'

/** An agent as the API shows it. */
export function agentOf(fields: Partial<Agent> = {}): Agent {
  return {
    id: 'agent-1',
    name: 'Research',
    description: null,
    status: 'active',
    externalId: 'research',
    tags: [],
    metadata: {},
    createdAt: AT,
    updatedAt: AT,
    updatedBy: null,
    lastSeenAt: null,
    ...fields,
  }
}

/** An active mandate as the API shows it. */
export function mandateOf(fields: Partial<Mandate> = {}): Mandate {
  return {
    id: 'mnd_1',
    agentId: 'agent-1',
    name: 'Budget',
    status: 'active',
    version: 3,
    draftOf: null,
    draftOfVersion: null,
    currency: 'USD',
    timezone: 'UTC',
    validFrom: null,
    validUntil: null,
    parentMandateId: null,
    budgetTotal: 100,
    budgetSpent: 0,
    budgetHeld: 0,
    remainingBudget: 100,
    percentUsed: 0,
    exhausted: false,
    budgetPeriod: 'monthly',
    periodStart: null,
    periodEnd: null,
    rules: [{ type: 'amount', id: 'amount', effect: 'reject', max: 20 }],
    warningPercents: [80],
    discloseLimits: false,
    createdAt: AT,
    activatedAt: AT,
    revokedAt: null,
    archivedAt: null,
    updatedAt: AT,
    updatedBy: null,
    ...fields,
  }
}

/** A plan for texts of files, and all mistakes on the way to it. */
export function planFor(
  texts: string | readonly string[],
  { agents = [agentOf()], mandates = [] }: Partial<Snapshot> = {},
  activate = true,
) {
  const all = typeof texts === 'string' ? [texts] : texts
  const files = all.map((text, index) => ({ file: `${'abc'[index]}.yaml`, text }))
  const read = readTexts(files)
  const snapshot = { agents, mandates }
  const { found, mistakes } = findMandates(read.mandates, snapshot)
  const made = makePlan(found, snapshot, { activate })
  const lines = [...read.mistakes, ...mistakes, ...made.mistakes].map(toMistakeLine)
  const steps = made.plan.entries.flatMap((entry) => entry.steps)
  return { plan: made.plan, steps, lines }
}
