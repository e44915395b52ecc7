import type { Agent, Purser } from '@purser/sdk'

/** An agent as people name it. A text alone is an `externalId` or a name. */
export interface AgentReference {
  readonly either?: string
  readonly externalId?: string
  readonly name?: string
}

const LISTED_MAX = 1_000
const NAME_MAX = 120

/** Reads all agents that a reference fits. More than one means that the reference is no choice. */
export async function readAgents(purser: Purser, reference: AgentReference): Promise<Agent[]> {
  const { either, externalId = either, name = either } = reference
  const found = new Map<string, Agent>()
  if (externalId !== undefined) {
    const exact = await purser.agents.list({ externalId }).toArray({ limit: LISTED_MAX })
    for (const agent of exact) found.set(agent.id, agent)
  }
  if (name !== undefined && name.length <= NAME_MAX) {
    const similar = await purser.agents.list({ q: name }).toArray({ limit: LISTED_MAX })
    // A part of them could lack the second one that fits.
    if (similar.length === LISTED_MAX) {
      throw new Error(
        `${LISTED_MAX} or more agents have a name like “${name}”. Name the agent by its id or externalId.`,
      )
    }
    for (const agent of similar) found.set(agent.id, agent)
  }
  return matchAgents(reference, [...found.values()])
}

/** A text alone can be the externalId of one agent and the name of a second one. */
export function matchAgents(
  { either, externalId, name }: AgentReference,
  agents: readonly Agent[],
): Agent[] {
  return agents.filter(
    (agent) =>
      (either !== undefined && (agent.externalId === either || agent.name === either)) ||
      (externalId !== undefined && agent.externalId === externalId) ||
      (name !== undefined && agent.name === name),
  )
}

/** The sentence for a reference that fits no agent. */
export function noAgentText({ either, externalId, name }: AgentReference): string {
  if (either !== undefined) return `there is no agent with the externalId or name “${either}”`
  return externalId === undefined
    ? `there is no agent with the name “${name}”`
    : `there is no agent with the externalId “${externalId}”`
}
