import type { Snippet } from '../../ui/snippets.tsx'
import type { ExampleSpend } from './example-spend.ts'

interface CallOptions {
  readonly origin: string
  /** The key while it is still known: it is copied, and shown only in part. */
  readonly apiKey: string | undefined
}

/** The call in several languages, with everything filled in. */
export function spendSnippets(spend: ExampleSpend, { origin, apiKey }: CallOptions): Snippet[] {
  const shown = apiKey === undefined ? '$PURSER_API_KEY' : maskedKey(apiKey)
  const copied = apiKey ?? '$PURSER_API_KEY'
  return [
    {
      ...{ label: 'curl', lang: 'bash' },
      code: curl(spend, origin, shown),
      copyText: curl(spend, origin, copied),
    },
    {
      ...{ label: 'TypeScript', lang: 'ts' },
      code: typeScript(spend, origin, apiKey === undefined ? undefined : shown),
      copyText: typeScript(spend, origin, apiKey),
    },
  ]
}

/** The lines that keep the key for later calls. */
export function keySnippets(apiKey: string, origin: string): Snippet[] {
  const shell = (key: string) =>
    `export PURSER_API_KEY='${key}'\nexport PURSER_BASE_URL='${origin}'`
  const file = (key: string) => `PURSER_API_KEY=${key}\nPURSER_BASE_URL=${origin}`
  return [
    { label: 'Shell', lang: 'bash', code: shell(maskedKey(apiKey)), copyText: shell(apiKey) },
    { label: '.env', lang: 'bash', code: file(maskedKey(apiKey)), copyText: file(apiKey) },
  ]
}

/** The beginning of a key, by which lists name it. */
export function maskedKey(apiKey: string): string {
  return `${apiKey.slice(0, 12)}••••••••`
}

function curl({ agentId, amount, vendor, category }: ExampleSpend, origin: string, key: string) {
  return [
    `curl ${origin}/api/v1/gateway/evaluate \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"agentId": ${JSON.stringify(agentId)},`,
    `       "amount": ${amount}, "vendor": ${JSON.stringify(vendor)}, "category": ${JSON.stringify(category)}}'`,
  ].join('\n')
}

function typeScript(spend: ExampleSpend, origin: string, key: string | undefined) {
  const options = [`baseUrl: '${origin}'`, ...(key === undefined ? [] : [`apiKey: '${key}'`])]
  return [
    "import { Purser } from '@purser/sdk'",
    '',
    `const purser = new Purser({ ${options.join(', ')} })`,
    'const { decision } = await purser.gateway.evaluate({',
    `  agentId: '${spend.agentId}',`,
    `  amount: ${spend.amount}, vendor: '${spend.vendor}', category: '${spend.category}',`,
    '})',
  ].join('\n')
}
