import type { Agent, Mandate, MandateStatus, Purser } from '@purser/sdk'
import { type AgentReference, readAgents } from '../api/read-agents.ts'
import type { FileMandate } from './file-mandate.ts'
import type { Snapshot } from './find-mandates.ts'

const LISTED_MAX = 1_000
const STATUSES: readonly MandateStatus[] = ['active', 'draft', 'expired', 'revoked']

/** Reads the agents that files name, and the mandates of these agents. */
export async function readSnapshot(
  purser: Purser,
  files: readonly FileMandate[],
): Promise<Snapshot> {
  const agents = new Map<string, Agent>()
  for (const reference of referencesOf(files)) {
    for (const agent of await readAgents(purser, reference)) agents.set(agent.id, agent)
  }
  const mandates: Mandate[] = []
  for (const agent of agents.values()) mandates.push(...(await readMandates(purser, agent)))
  for (const id of missingParents(files, mandates)) mandates.push(await purser.mandates.get(id))
  return { agents: [...agents.values()], mandates }
}

/** The dates of parents count for their children, also if no file names the parents. */
function missingParents(files: readonly FileMandate[], mandates: readonly Mandate[]): string[] {
  const names = new Set(files.map(({ name }) => name))
  const known = new Set(mandates.map(({ id }) => id))
  const parents = mandates
    .filter(({ name, status }) => names.has(name) && (status === 'draft' || status === 'active'))
    .flatMap(({ parentMandateId }) => parentMandateId ?? [])
  return [...new Set(parents)].filter((id) => !known.has(id))
}

function referencesOf(files: readonly FileMandate[]): AgentReference[] {
  const all = files.flatMap(({ agent, parent }) => (parent ? [agent, parent.agent] : [agent]))
  return [...new Map(all.map((reference) => [JSON.stringify(reference), reference])).values()]
}

async function readMandates(purser: Purser, { id, name }: Agent): Promise<Mandate[]> {
  const mandates: Mandate[] = []
  for (const status of STATUSES) {
    const found = purser.mandates.list({ agentId: id, status })
    const some = await found.toArray({ limit: LISTED_MAX })
    if (some.length === LISTED_MAX) throw tooMany(`mandates of the agent ${name} are ${status}`)
    mandates.push(...some)
  }
  return mandates
}

/** A part of them could lack the second one that fits. */
function tooMany(things: string): Error {
  return new Error(`${LISTED_MAX} or more ${things}. Files cannot be compared with so many.`)
}
