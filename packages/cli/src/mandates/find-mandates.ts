import type { Agent, Mandate } from '@purser/sdk'
import { matchAgents, noAgentText } from '../api/read-agents.ts'
import { type FileMandate, type MandateReference, toReferenceKey } from './file-mandate.ts'
import type { FileMistake, PathStep } from './mistake.ts'

/** The part of an organization that files are compared with. */
export interface Snapshot {
  readonly agents: readonly Agent[]
  /** All mandates of these agents that are not archived, with drafts of next versions. */
  readonly mandates: readonly Mandate[]
}

/** A mandate of a file, with the agent and the mandate that it means. */
export interface FoundMandate {
  readonly file: FileMandate
  readonly agent: Agent
  /** The draft or active mandate. Undefined if there is none yet. */
  readonly mandate: Mandate | undefined
  readonly parent: FoundParent | undefined
}

/** The parent exists, or a file of the same run describes it. */
export interface FoundParent {
  readonly mandate: Mandate | undefined
  readonly file: FileMandate | undefined
}

export interface FoundMandates {
  readonly found: readonly FoundMandate[]
  readonly mistakes: readonly FileMistake[]
}

/** Finds the mandate of each file. Two that fit are a mistake, because the choice would be a guess. */
export function findMandates(files: readonly FileMandate[], snapshot: Snapshot): FoundMandates {
  const mistakes: FileMistake[] = []
  const found = files.flatMap((file) => {
    const refuse = (path: readonly PathStep[], message: string): undefined => {
      const field = path.join('.')
      mistakes.push({ file: file.file, line: file.lineOf(path), field, message })
    }
    const own = findOne(file, [], snapshot, refuse)
    const parent = file.parent && findParent(file.parent, files, snapshot, refuse)
    if (!own || (file.parent && !parent)) return []
    return [{ file, ...own, parent }]
  })
  return { found, mistakes: [...mistakes, ...findSameMandates(found)] }
}

type Refuse = (path: readonly PathStep[], message: string) => undefined

function findParent(
  reference: MandateReference,
  files: readonly FileMandate[],
  snapshot: Snapshot,
  refuse: Refuse,
): FoundParent | undefined {
  const own = findOne(reference, ['parent'], snapshot, refuse)
  if (!own) return undefined
  const file = files.find((each) => {
    const agent = matchAgents(each.agent, snapshot.agents)
    return each.name === reference.name && agent.length === 1 && agent[0] === own.agent
  })
  if (own.mandate || file) return { mandate: own.mandate, file }
  return refuse(['parent', 'name'], 'is the name of no draft or active mandate of this agent')
}

function findOne(
  { agent: reference, name }: MandateReference,
  path: readonly PathStep[],
  { agents, mandates }: Snapshot,
  refuse: Refuse,
): { agent: Agent; mandate: Mandate | undefined } | undefined {
  const [agent, otherAgent] = matchAgents(reference, agents)
  const agentPath = [...path, 'agent']
  if (!agent) return refuse(agentPath, `is wrong: ${noAgentText(reference)}`)
  if (otherAgent) {
    const both = `${agent.id} (${agent.name}) and ${otherAgent.id} (${otherAgent.name})`
    const hint = 'Give each agent its own externalId, and write agent: {externalId: …}'
    return refuse(agentPath, `means two agents: ${both}. ${hint}`)
  }
  const [mandate, other] = mandates.filter((each) => {
    const isOpen = each.status === 'draft' || each.status === 'active'
    return each.agentId === agent.id && each.name === name && isOpen && each.draftOf === null
  })
  if (mandate && other) {
    const both = `${mandate.id} (${mandate.status}) and ${other.id} (${other.status})`
    return refuse([...path, 'name'], `means two mandates: ${both}. Rename or delete one of them`)
  }
  return { agent, mandate }
}

/** Two files can name an agent in different ways, and still mean the same mandate. */
function findSameMandates(found: readonly FoundMandate[]): FileMistake[] {
  const first = new Map<string, FileMandate>()
  return found.flatMap(({ file, agent }) => {
    const key = toReferenceKey({ agent: { either: agent.id }, name: file.name })
    const earlier = first.get(key)
    if (!earlier) first.set(key, file)
    if (!earlier) return []
    const message = `means the same mandate as ${earlier.file}:${earlier.line}`
    return [{ file: file.file, line: file.lineOf(['name']), field: 'name', message }]
  })
}
