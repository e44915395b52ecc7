import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { sent } from '../support/acp/idempotency.ts'
import { startStandIn } from '../support/acp/stand-in.ts'
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
/** The one of the system has the packages of the system, which one that was installed beside it lacks. */
const python = ['python3', '/usr/bin/python3'].find(
  (found) => spawnSync(found, ['-c', 'import jwt, cryptography']).status === 0,
)

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

/** The block of the guide in this language, with the address of this gateway or of another one. */
function programIn(language: string, address = gateway): string {
  const [, program] = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(GUIDE) ?? []
  if (program === undefined) throw new Error(`The guide has no program in ${language}.`)
  return program.replace('https://gateway.example', address)
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
    expect(await withNode(all)).toEqual([agentId, 'refused', 'refused'])
  })

  test.skipIf(!python)('with Python', async () => {
    const { agentId, all } = await tokens()
    expect(await withPython(all)).toEqual([agentId, 'refused', 'refused'])
  })
})

describe('names of keys that somebody makes up do not make the guide ask for each of them', () => {
  const MADE_UP = 20

  async function countQuestions(
    verify: (all: readonly string[], address: string) => Promise<string[]>,
  ) {
    const published = await fetch(`${gateway}/.well-known/jwks.json`).then((answer) =>
      answer.json(),
    )
    const keys = await startStandIn(async () => sent(200, published))
    onTestFinished(keys.stop)
    const all = Array.from({ length: MADE_UP }, (_, index) => madeUp(`key-${index}`))
    expect(await verify(all, keys.url)).toEqual(all.map(() => 'refused'))
    return keys.requests.length
  }

  // Both programs ask at most twice in half a minute, and how long this takes is not their promise.
  test('with Node', async () => {
    expect(await countQuestions(withNode)).toBeLessThan(MADE_UP / 2)
  })

  test.skipIf(!python)('with Python', async () => {
    expect(await countQuestions(withPython)).toBeLessThan(MADE_UP / 2)
  })
})

function madeUp(kid: string): string {
  const parts = [{ alg: 'ES256', typ: 'mandate+jwt', kid }, { sub: 'nobody' }]
  const texts = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  return [...texts, Buffer.alloc(64, 7).toString('base64url')].join('.')
}

function withNode(all: readonly string[], address?: string): Promise<string[]> {
  const program = `${programIn('js', address)}
for (const token of process.argv.slice(2)) {
  console.log(await verifyMandate(token, '${SHOP}').then(({ sub }) => sub, () => 'refused'))
}`
  const file = join(folder.path, 'verify.mjs')
  writeFileSync(file, program)
  return run(process.execPath, file, all)
}

function withPython(all: readonly string[], address?: string): Promise<string[]> {
  const program = `${programIn('python', address)}
import sys
for token in sys.argv[1:]:
    try:
        print(verify_mandate(token, "${SHOP}")["sub"])
    except jwt.PyJWTError:
        print("refused")
`
  const file = join(folder.path, 'verify.py')
  writeFileSync(file, program)
  return run(python ?? '', file, all)
}
