import { TOOLS, type Tool } from '@purser/sdk/tools'

/** The rights of an API key, as the gateway knows them. */
export interface KeyAccess {
  /** Null means all scopes. */
  readonly scopes: readonly string[] | null
  /** The agents that the key is bound to. Null means not bound. */
  readonly agentIds: readonly string[] | null
}

interface Need {
  readonly scope: string
  /** An alternative scope, with which a key that is bound to agents may call this. */
  readonly boundScope?: string
}

const AGENT: Need = { scope: 'agents:read', boundScope: 'gateway:read' }
const TRANSACTIONS: Need = { scope: 'transactions:read' }
const SPEND: Need = { scope: 'gateway:write' }

/** The scope that the requests of each tool need. A tool without an entry is offered to no key. */
const NEEDS: Readonly<Record<string, Need>> = {
  get_mandate: AGENT,
  get_budget: AGENT,
  check_spend: { scope: 'gateway:read' },
  authorize_spend: SPEND,
  settle_spend: { scope: 'transactions:write' },
  pay_x402: SPEND,
  request_approval: SPEND,
  get_approval: { scope: 'approvals:read', boundScope: 'gateway:read' },
  list_transactions: TRANSACTIONS,
  explain_transaction: TRANSACTIONS,
}

/**
 * The tools for a key. Tools that spend are only for keys that are bound to agents: with any other
 * key, a model could choose whose budget it spends.
 */
export function toolsOf(access: KeyAccess): readonly Tool[] {
  return TOOLS.filter(
    (tool) =>
      (tool.hints.readOnlyHint || access.agentIds !== null) && allows(access, NEEDS[tool.name]),
  )
}

/** Why a tool is not offered to the key; undefined if it is, or if there is no such tool. */
export function refusalOf(access: KeyAccess, name: string): string | undefined {
  const tool = TOOLS.find((it) => it.name === name)
  if (!tool || toolsOf(access).includes(tool)) return undefined
  if (!tool.hints.readOnlyHint && access.agentIds === null) return NOT_BOUND
  return `The API key lacks the scope ${NEEDS[name]?.scope}. Tell a person: only they can create a key with this scope.`
}

export const NOT_BOUND =
  'The API key is not bound to an agent, so it offers no tools that spend: with such a key you could choose whose budget you spend. Tell the person you work for to create a key that is bound to your agent: in the console under API keys, or with POST /api/v1/api-keys and `agentIds`. Then use that key for this MCP server.'

/** The agent of a key that is bound to exactly one. */
export function onlyAgentOf({ agentIds }: KeyAccess): string | undefined {
  return agentIds?.length === 1 ? agentIds[0] : undefined
}

function allows({ scopes, agentIds }: KeyAccess, need: Need | undefined): boolean {
  if (!need) return false
  const { scope, boundScope } = need
  if (scopes === null || holds(scopes, scope)) return true
  return boundScope !== undefined && agentIds !== null && holds(scopes, boundScope)
}

/** Writing includes reading. */
function holds(scopes: readonly string[], scope: string): boolean {
  return scopes.includes(scope) || scopes.includes(scope.replace(':read', ':write'))
}
