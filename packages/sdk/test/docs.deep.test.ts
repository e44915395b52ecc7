import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const DOCUMENTS = ['README.md', 'docs/sdk.md', 'packages/sdk/README.md']

/** The names that the documents use without showing where they come from. */
const NAMES = `
import type { Purser, RuleInput, SpendInput } from '@purser/sdk'
declare global {
  const purser: Purser
  const spend: SpendInput
  const pay: (hold: import('@purser/sdk').Hold) => Promise<void>
  const aiTools: typeof import('@purser/sdk/ai').aiTools
  const x402Client: typeof import('@x402/fetch').x402Client
  const wrapFetchWithPayment: typeof import('@x402/fetch').wrapFetchWithPayment
  const signer: import('viem').LocalAccount
  const model: import('ai').LanguageModel
  const error: import('@purser/sdk').PurserError & { idempotencyKey: string }
  const rules: RuleInput[]
  const agentId: string
  const mandateId: string
  const approvalId: string
  const transactionId: string
  const secret: string
  const token: string
  const url: string
  const trustedKeys: string[]
  let lastEventId: string | undefined
  const request: Request
  type Context = { readonly req: { readonly raw: Request } }
  const app: { post(path: string, handle: unknown): void; register(...values: unknown[]): Promise<void> }
  function register(
    ...tool: [string, string, object, (input: unknown, signal: AbortSignal) => unknown]
  ): void
  function store(id: string, event: unknown): Promise<void>
  function buy(): Promise<number>
  function callVendor(options: object): Promise<{ cost: number; text: string }>
}
`

const CONFIG = {
  compilerOptions: {
    ...{
      target: 'es2023',
      module: 'nodenext',
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: true,
    },
    ...{ customConditions: ['@purser/source'], allowImportingTsExtensions: true, types: ['node'] },
    ...{ lib: ['es2023', 'dom', 'dom.iterable'], verbatimModuleSyntax: true },
  },
  include: ['*.ts'],
}

test('the TypeScript of the documents compiles', async () => {
  // Here the imports resolve as in a project of a user.
  const parent = join(ROOT, 'node_modules/.cache')
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, 'documents-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  let blocks = 0
  for (const document of DOCUMENTS) {
    const text = await readFile(join(ROOT, document), 'utf8')
    for (const [, block = ''] of text.matchAll(/^```ts\n(.*?)^```/gms)) {
      const name = `${document.replaceAll(/\W/g, '-')}-${blocks}.ts`
      await writeFile(join(folder, name), `${block}\nexport {}\n`)
      blocks += 1
    }
  }
  expect(blocks).toBeGreaterThan(20)
  await writeFile(join(folder, 'names.ts'), NAMES)
  await writeFile(join(folder, 'package.json'), '{"type": "module"}')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(CONFIG))
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
  expect(stdout).toBe('')
})
