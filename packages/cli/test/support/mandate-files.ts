import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../../server/test/support/app.ts'
import { anAgent, bodyOf } from '../../../server/test/support/builders.ts'
import { createTemporaryFolder } from '../../../server/test/support/database.ts'
import { callPurser } from './in-process.ts'

/** Input that a person types, or a program sends. */
interface Typed {
  readonly stdin?: string | AsyncIterable<string>
  readonly terminal?: boolean
}

/** A mandate with two cases. */
export const FILE = `agent: research
name: Budget
budgetTotal: 100
rules:
  - {type: amount, max: 20}
  - {type: vendors, allow: [API.OpenAI.com]}
cases:
  - name: a small spend passes
    amount: 5
    vendor: api.openai.com
    category: llm
    expect: approved
  - name: a large one does not
    amount: 50
    vendor: api.openai.com
    category: llm
    expect: {decision: rejected, code: amount_above_max, rule: amount}
`

/** A gateway and a folder of files for all tests of a file, and a new organization for each. */
export function aroundMandateFiles() {
  let app: TestApp
  let owner: Owner
  let url: string
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
  beforeAll(async () => {
    app = await createTestApp()
    url = await app.app.listen({ host: '127.0.0.1', port: 0 })
    folder = await createTemporaryFolder()
  })
  beforeEach(async () => {
    owner = await app.organization()
  })
  afterAll(async () => {
    await app.stop()
    await folder.remove()
  })
  const env = () => ({ PURSER_BASE_URL: url, PURSER_API_KEY: owner.apiKey })
  return {
    owner: () => owner,
    env,
    at: (name: string) => join(folder.path, name),

    /** Runs `purser mandates`. */
    async run(args: readonly string[], typed: Typed = {}) {
      const purser = await callPurser(['mandates', ...args], env(), typed)
      const code = await purser.exited()
      return { code, out: purser.lines.join('\n'), told: purser.told.join('\n') }
    },

    async write(text: string): Promise<string> {
      const file = join(folder.path, 'research.yaml')
      await writeFile(file, text)
      return file
    },

    /** The agent that `FILE` names. */
    theAgent: () => anAgent(owner, { name: 'Research', externalId: 'research' }),

    /** Everything that files could change. */
    async stateOf() {
      const { data } = bodyOf(await owner.get('/mandates?limit=100'))
      return data.map(({ id, status, version, updatedAt }) => ({ id, status, version, updatedAt }))
    },
  }
}
