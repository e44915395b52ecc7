import { TOOLS } from '@purser/sdk/tools'
import { type KeyAccess, onlyAgentOf, toolsOf } from './access.ts'
import { RULE_CATALOGUE } from './generated/rule-catalogue.ts'
import { mandateWords } from './mandate-words.ts'
import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ServerContext,
} from './mcp-libraries.ts'
import type { Session } from './session.ts'

const MIME = 'text/markdown'
const RULES = 'purser://rules'
const MANDATE = 'purser://mandate'

/** The mandate of one of several agents. */
export const MANDATE_TEMPLATE = `${MANDATE}/{agentId}`

export function listResources(access: KeyAccess): Resource[] {
  const rules = {
    uri: RULES,
    name: 'rules',
    title: 'The rules of mandates',
    description: 'Every kind of rule that a mandate can have, and the codes of its rejections.',
    mimeType: MIME,
  }
  if (!readsMandates(access)) return [rules]
  const isOnly = onlyAgentOf(access) !== undefined
  const mandates = (access.agentIds ?? []).map((agentId) => ({
    uri: isOnly ? MANDATE : `${MANDATE}/${agentId}`,
    name: isOnly ? 'mandate' : `mandate of ${agentId}`,
    title: isOnly ? 'Your mandate' : `The mandate of ${agentId}`,
    description: 'The rules that every spend must follow, in sentences, and the budget.',
    mimeType: MIME,
  }))
  return [...mandates, rules]
}

export function listTemplates(access: KeyAccess) {
  if (!readsMandates(access)) return []
  return [
    {
      uriTemplate: MANDATE_TEMPLATE,
      name: 'mandate of an agent',
      description: 'The rules that every spend of the agent must follow, and the budget.',
      mimeType: MIME,
    },
  ]
}

export async function readResource(
  { purser, access }: Session,
  uri: string,
  { mcpReq: { signal } }: ServerContext,
): Promise<ReadResourceResult> {
  if (uri === RULES) return asText(uri, RULE_CATALOGUE)
  const agentId = agentIn(uri)
  const tool = TOOLS.find(({ name }) => name === 'get_mandate')
  if (agentId === undefined || !tool || !readsMandates(access)) throw new ResourceNotFoundError(uri)
  const result = await tool.run(purser, agentId === null ? {} : { agentId }, { signal })
  if (result.isError) throw new ProtocolError(ProtocolErrorCode.InvalidParams, result.summary)
  return asText(uri, mandateWords(result))
}

/** Null: the only agent of the key. Undefined: not the address of a mandate. */
function agentIn(uri: string): string | null | undefined {
  if (uri === MANDATE) return null
  const [, agentId] = /^purser:\/\/mandate\/([\w-]{1,100})$/.exec(uri) ?? []
  return agentId
}

function readsMandates(access: KeyAccess): boolean {
  return toolsOf(access).some(({ name }) => name === 'get_mandate')
}

function asText(uri: string, text: string): ReadResourceResult {
  return { contents: [{ uri, mimeType: MIME, text }] }
}
