import type { CreatedApiKey } from '@purser/sdk'
import { quotedCode } from '../../parts/quoted-code.ts'
import type { Snippet } from '../../ui/snippets.tsx'
import { reachOf } from './reach.ts'

const SPEND = { amount: 1.5, vendor: 'api.openai.com', category: 'llm' }

/** The agent that a new key can spend for, so that its snippets work as they are; null: none. */
export function spenderOf(
  { agentIds, scopes }: Pick<CreatedApiKey, 'agentIds' | 'scopes'>,
  known: Iterable<string>,
): string | null {
  const maySpend = scopes === null || scopes.includes('gateway:write')
  if (!maySpend) return null
  const [own] = agentIds ?? []
  if (own !== undefined) return own
  const [first] = known
  // A key for everything is shown with a call that only reads.
  return reachOf(scopes) === 'spends' ? (first ?? null) : null
}

/** The first call with a new key, in the forms that people need. Each works as it is. */
export function keySnippets(
  { apiKey, scopes }: Pick<CreatedApiKey, 'apiKey' | 'scopes'>,
  agentId: string | null,
  origin: string,
): readonly Snippet[] {
  const read = readOf(scopes)
  const curl =
    agentId === null
      ? [`curl '${origin}/api/v1/${read.path}' \\`, `  -H 'Authorization: Bearer ${apiKey}'`]
      : [
          `curl ${origin}/api/v1/gateway/evaluate \\`,
          `  -H 'Authorization: Bearer ${apiKey}' \\`,
          `  -H 'Content-Type: application/json' \\`,
          `  -d '${jsonOf(agentId)}'`,
        ]
  const env = [`PURSER_BASE_URL=${origin}`, `PURSER_API_KEY=${apiKey}`]
  const code = [
    `import { Purser } from '@purser/sdk'`,
    '',
    `// Reads PURSER_BASE_URL and PURSER_API_KEY from the environment.`,
    `const purser = new Purser()`,
    ...(agentId === null
      ? [`console.log(await purser.${read.call})`]
      : [
          `const spend = ${codeOf(agentId)}`,
          `const evaluation = await purser.gateway.evaluate(spend)`,
          `console.log(evaluation.decision)`,
        ]),
  ]
  return [
    { label: 'curl', lang: 'bash', ...masked(curl, apiKey) },
    { label: '.env', lang: 'env', ...masked(env, apiKey) },
    { label: 'TypeScript', lang: 'ts', code: code.join('\n') },
  ]
}

/** The key stands in full above the snippet, which shows its beginning and copies all of it. */
function masked(lines: readonly string[], apiKey: string): Pick<Snippet, 'code' | 'copyText'> {
  const copyText = lines.join('\n')
  return { copyText, code: copyText.replace(apiKey, `${apiKey.slice(0, 24)}…`) }
}

interface ReadCall {
  readonly path: string
  /** The method of the SDK. */
  readonly call: string
}

const TRANSACTIONS = {
  path: 'transactions?limit=1',
  call: 'transactions.list({ limit: 1 }).page()',
}

/** The calls of the areas whose path or method is not the area's own name. */
const READS: Readonly<Record<string, ReadCall>> = {
  gateway: TRANSACTIONS,
  transactions: TRANSACTIONS,
  audit: { path: 'audit-log', call: 'auditLog.list().page()' },
  keys: { path: 'api-keys', call: 'apiKeys.list().page()' },
  webhooks: { path: 'webhooks/deliveries', call: 'webhooks.deliveries.list().page()' },
  organization: { path: 'organization', call: 'organization.get()' },
}

/** A call that the key may make. */
function readOf(scopes: CreatedApiKey['scopes']): ReadCall {
  const areas = scopes?.flatMap((scope) => (scope.endsWith(':read') ? scope.split(':')[0] : []))
  // A person with a new key usually reads the transactions first.
  if (!areas || areas.includes('transactions')) return TRANSACTIONS
  const area = areas.find((one) => one !== 'gateway') ?? 'gateway'
  return READS[area] ?? { path: area, call: `${area}.list().page()` }
}

/** The id of the agent has a line of its own, so that the amount is in view. */
function jsonOf(agentId: string): string {
  return `{"agentId": "${agentId}",\n       ${JSON.stringify(SPEND).slice(1)}`
}

function codeOf(agentId: string): string {
  const fields = Object.entries({ agentId, ...SPEND }).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? quotedCode(value) : String(value)}`,
  )
  return `{ ${fields.join(', ')} }`
}
