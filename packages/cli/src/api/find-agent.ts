import { plain } from '../output/plain.ts'
import type { Gateway } from './gateway-command.ts'
import { noAgentText, readAgents } from './read-agents.ts'

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const AGENT_OPTION = [
  '--agent <agent>',
  'id, externalId or name of the agent; not needed for a key that is bound to one agent',
] as const

/** Returns the id of the agent that an argument names by its id, its `externalId` or its name. */
export async function findAgentId(
  { purser, command }: Gateway,
  named: string | undefined,
): Promise<string | undefined> {
  if (named === undefined || ID.test(named)) return named
  const reference = { either: named }
  const agents = await readAgents(purser, reference)
  const [agent, second] = agents
  if (agent === undefined) return command.error(`error: ${noAgentText(reference)}`)
  if (second === undefined) return agent.id
  const all = agents.map(({ id, name }) => `${id} (${plain(name)})`).join(', ')
  return command.error(
    `error: “${named}” means ${countOf(agents.length)}: ${all}. Name one by its id`,
  )
}

function countOf(count: number): string {
  return count === 2 ? 'two agents' : `${count} agents`
}
