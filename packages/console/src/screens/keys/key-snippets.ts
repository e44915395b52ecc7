import type { CreatedApiKey } from '@purser/sdk'
import type { Snippet } from '../../ui/snippets.tsx'
import { reachOf } from './reach.ts'

/** The first call with a new key, in the forms that people need. Each works as it is. */
export function keySnippets(
  { apiKey, agentIds, scopes }: CreatedApiKey,
  origin: string,
): readonly Snippet[] {
  const agentId = agentIds?.[0] ?? null
  const maySpend = scopes === null || scopes.includes('gateway:write')
  const spend = { amount: 1.5, vendor: 'api.openai.com', category: 'llm' }
  const canTry = maySpend && (agentId !== null || reachOf(scopes) === 'spends')
  const curl = canTry
    ? [
        `curl ${origin}/api/v1/gateway/evaluate \\`,
        `  -H 'Authorization: Bearer ${apiKey}' \\`,
        `  -H 'Content-Type: application/json' \\`,
        `  -d '${jsonOf({ agentId: agentId ?? 'AGENT_ID', ...spend })}'`,
      ]
    : [`curl '${origin}/api/v1/${readPath(scopes)}' \\`, `  -H 'Authorization: Bearer ${apiKey}'`]
  const env = [`PURSER_URL=${origin}`, `PURSER_API_KEY=${apiKey}`]
  const code = [
    `import { Purser } from '@purser/sdk'`,
    '',
    `// Reads PURSER_URL and PURSER_API_KEY from the environment.`,
    `const purser = new Purser()`,
    ...(canTry
      ? [
          `const spend = ${codeOf({ agentId: agentId ?? 'AGENT_ID', ...spend })}`,
          `const evaluation = await purser.gateway.evaluate(spend)`,
          `console.log(evaluation.decision)`,
        ]
      : [`for await (const one of purser.transactions.list()) console.log(one.id, one.status)`]),
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

const PATHS: Readonly<Record<string, string>> = {
  audit: 'audit-log',
  keys: 'api-keys',
  webhooks: 'webhooks/deliveries',
}

/** A list that the key may read. */
function readPath(scopes: CreatedApiKey['scopes']): string {
  const area = scopes?.find((scope) => scope.endsWith(':read'))?.split(':')[0]
  if (scopes === null || area === 'gateway' || area === undefined) return 'transactions?limit=1'
  return PATHS[area] ?? area
}

/** The id of the agent has a line of its own, so that the amount is in view. */
function jsonOf({ agentId, ...rest }: Readonly<Record<string, unknown>>): string {
  return `{"agentId": "${agentId}",\n       ${JSON.stringify(rest).slice(1)}`
}

function codeOf(spend: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(spend).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? `'${value}'` : String(value)}`,
  )
  return `{ ${fields.join(', ')} }`
}
