import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { NOT_BOUND } from '../src/access.ts'
import { openToolShop } from './support/shop.ts'

const GUIDE = readFileSync(new URL('../../../docs/mcp.md', import.meta.url), 'utf8')
const blocksOf = (mark: string) =>
  [...GUIDE.matchAll(new RegExp(`^\`\`\`${mark}\\n([^]*?)^\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  )

/** As in the README. */
const CALL = `call() { at=$1; shift; curl -sS "$API/$at" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' "$@"; }`

test('the commands of the guide make a key and list its tools', async () => {
  const shop = await openToolShop()
  try {
    const { agentId } = await shop.buyer(100)
    const [makeKey = '', listTools = ''] = blocksOf('sh')
    const { stdout } = await promisify(execFile)(
      'bash',
      ['-ec', [CALL, makeKey, listTools].join('\n')],
      {
        env: {
          PATH: process.env['PATH'],
          API: `${shop.baseUrl}/api/v1`,
          KEY: shop.owner.apiKey,
          AGENT: agentId,
        },
      },
    )
    const data = /^data: (.*)$/m.exec(stdout)?.[1] ?? stdout
    expect(JSON.parse(data).result.tools).toHaveLength(10)
  } finally {
    await shop.stop()
  }
})

test('the settings of clients are JSON and lead to the gateway', () => {
  const settings = blocksOf('json').map((text) => JSON.parse(text))
  expect(settings).toHaveLength(4)
  for (const { mcpServers, servers } of settings) {
    const { purser } = mcpServers ?? servers
    expect(purser.url ?? `${purser.env.PURSER_BASE_URL}/mcp`).toBe('http://127.0.0.1:3000/mcp')
  }
})

test('the hint for keys that are not bound names an endpoint that exists', () => {
  const document = new URL('../../../openapi.json', import.meta.url)
  const { paths } = JSON.parse(readFileSync(document, 'utf8'))
  expect(NOT_BOUND).toContain('POST /api/v1/api-keys')
  expect(paths).toHaveProperty(['/api/v1/api-keys', 'post'])
})
