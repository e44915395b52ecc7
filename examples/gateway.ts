import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../packages/server/src/process/config.ts'
import { openStorage } from '../packages/server/src/process/open-storage.ts'
import { startServer } from '../packages/server/src/process/server.ts'
import { createOrganization } from '../packages/server/src/process/setup.ts'
import { FIRST_SPEND } from '../packages/server/src/process/welcome.ts'
import { silentLog } from '../packages/server/test/support/silent-log.ts'

export const say = (text: string): void => void process.stdout.write(`${text}\n`)

/** The gateway of an example, with one organization, in a temporary folder. */
export interface ExampleGateway {
  readonly url: string
  readonly apiKey: string
  /** The OpenAPI document describes the answers; here they are only shown. */
  // biome-ignore lint/suspicious/noExplicitAny: an example is no place for the types of the whole API.
  call(method: string, path: string, body?: object): Promise<any>
  /** Prints the agent's budget in one line; callers can add to it. */
  showBudget(agentId: string, beside?: string): Promise<void>
  /** Prints how to continue by hand, and waits until the user ends the example. */
  stay(agentId: string, names: string, lines?: number): Promise<void>
  stop(): Promise<void>
}

export async function startGateway(
  settings: Readonly<Record<string, string>> = {},
): Promise<ExampleGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'purser-example-'))
  const config = readConfig({
    PURSER_DATA_DIR: folder,
    PURSER_PORT: '0',
    PURSER_LOG_LEVEL: 'error',
    ...settings,
  })
  const storage = await openStorage(config, silentLog)
  const { apiKey } = await createOrganization(storage, config, 'Example')
  await storage.db.close()
  const { url, stop } = await startServer(config)

  const call: ExampleGateway['call'] = async (method, path, body) => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return answer.json()
  }

  return {
    url,
    apiKey,
    call,
    async showBudget(agentId, beside = '') {
      const { mandate } = await call('GET', `/agents/${agentId}?include=mandate`)
      const { budgetSpent, budgetHeld, remainingBudget } = mandate
      say(
        `  budget: spent ${budgetSpent} (of it held ${budgetHeld}), left ${remainingBudget}${beside}`,
      )
    },
    async stay(agentId, names, lines = 1) {
      say('\nAll of it stays until Ctrl-C. To try more, paste this into another terminal:\n')
      say(`export KEY=${apiKey} API=${url}/api/v1 AGENT=${agentId} ${names}`)
      say(`${FIRST_SPEND.slice(0, lines).join('\n')}\n`)
      await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
    },
    async stop() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
