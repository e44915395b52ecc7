import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { anActiveMandate } from '../support/builders.ts'
import { createTemporaryFolder } from '../support/database.ts'
import { spawnOnLeash } from '../support/leash.ts'
import { issueToken } from '../support/mandate-tokens.ts'

/* The programs of the guide, as a reader would copy them, against a gateway that listens. */

const GUIDE = readFileSync(
  new URL('../../../../docs/guide-mandate-tokens.md', import.meta.url),
  'utf8',
)
const SHOP = 'https://shop.example'
const hasPyJwt = spawnSync('python3', ['-c', 'import jwt, cryptography']).status === 0

let app: TestApp
let acme: Owner
let gateway: string
let folder: Awaited<ReturnType<typeof createTemporaryFolder>>

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
  const address = await app.app.listen({ host: 'localhost', port: 0 })
  gateway = `http://localhost:${new URL(address).port}`
  folder = await createTemporaryFolder()
  mkdirSync(join(folder.path, 'node_modules'))
  const [jose = ''] =
    /^.*\/node_modules\/jose\//.exec(createRequire(import.meta.url).resolve('jose')) ?? []
  symlinkSync(jose, join(folder.path, 'node_modules/jose'))
})
afterAll(async () => {
  await app.stop()
  await folder.remove()
})

/** The block of the guide in this language, with the address of this gateway. */
function programIn(language: string): string {
  const [, program] = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(GUIDE) ?? []
  if (program === undefined) throw new Error(`The guide has no program in ${language}.`)
  return program.replace('https://gateway.example', gateway)
}

/** What it prints for each of the tokens. */
async function run(program: string, file: string, tokens: readonly string[]): Promise<string[]> {
  const child = spawnOnLeash(program, [file, ...tokens])
  const [output, errors] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  expect(errors).toBe('')
  return output.trim().split('\n')
}

async function tokens() {
  const { agentId } = await anActiveMandate(acme)
  const { token } = await issueToken(acme, { agentId, audience: SHOP })
  const { token: ofOther } = await issueToken(acme, { agentId, audience: 'https://other.example' })
  const [head = '', , signature = ''] = token.split('.')
  const altered = `${head}.${ofOther.split('.')[1]}.${signature}`
  return { agentId, all: [token, ofOther, altered] }
}

describe('the guide verifies a token offline, and no other', () => {
  test('with Node', async () => {
    const { agentId, all } = await tokens()
    const program = `${programIn('js')}
for (const token of process.argv.slice(2)) {
  console.log(await verifyMandate(token, '${SHOP}').then(({ sub }) => sub, () => 'refused'))
}`
    const file = join(folder.path, 'verify.mjs')
    writeFileSync(file, program)
    expect(await run(process.execPath, file, all)).toEqual([agentId, 'refused', 'refused'])
  })

  test.skipIf(!hasPyJwt)('with Python', async () => {
    const { agentId, all } = await tokens()
    const program = `${programIn('python')}
import sys
for token in sys.argv[1:]:
    try:
        print(verify_mandate(token, "${SHOP}")["sub"])
    except jwt.PyJWTError:
        print("refused")
`
    const file = join(folder.path, 'verify.py')
    writeFileSync(file, program)
    expect(await run('python3', file, all)).toEqual([agentId, 'refused', 'refused'])
  })
})
