import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { RULES, type Seeded } from './seed.ts'

const run = promisify(execFile)
const CALLERS = 16

/** Creates an organization with the `purser` command of a build, and returns its API key. */
export async function initOrganization(root: string, env: Record<string, string>): Promise<string> {
  const command = [join(root, 'packages/cli/bin/purser.js'), 'init', '--org', 'Bench', '--json']
  const { stdout } = await run(process.execPath, command, { env: { ...process.env, ...env } })
  const { apiKey }: { apiKey: string } = JSON.parse(stdout)
  return apiKey
}

/**
 * Creates the same organization as `seed`, but over the API of a running gateway: two builds agree
 * on their API, but not on their tables.
 */
export async function seedByApi(
  port: number,
  apiKey: string,
  agents: number,
  interruption: AbortSignal,
): Promise<Seeded> {
  const agentIds: string[] = []
  let begun = 0
  const post = async (path: string, body?: object): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body ?? {}),
      signal: AbortSignal.timeout(60_000),
    })
    if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`)
    const { id }: { id: string } = JSON.parse(await answer.text())
    return id
  }
  const addAgents = async (): Promise<void> => {
    while (begun++ < agents) {
      interruption.throwIfAborted()
      const agentId = await post('/agents', { name: 'Agent' })
      const terms = { agentId, budgetTotal: 999_999_999, budgetPeriod: 'none', rules: RULES }
      await post(`/mandates/${await post('/mandates', terms)}/activate`)
      agentIds.push(agentId)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, addAgents))
  return { apiKey, agentIds }
}
