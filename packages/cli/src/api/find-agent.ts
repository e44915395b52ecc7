import type { Gateway } from './gateway-command.ts'

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const AGENT_OPTION = [
  '--agent <agent>',
  'id of the agent, or its externalId; not needed for a key that is bound to one agent',
] as const

/** Returns the id of the agent that an argument names by its id or its `externalId`. */
export async function findAgentId(
  { purser, command }: Gateway,
  named: string | undefined,
): Promise<string | undefined> {
  if (named === undefined || ID.test(named)) return named
  const { data } = await purser.agents.list({ externalId: named, limit: 2 }).page()
  const [agent, second] = data
  if (agent !== undefined && second === undefined) return agent.id
  return command.error(`error: no agent has the externalId ${JSON.stringify(named)}`)
}
