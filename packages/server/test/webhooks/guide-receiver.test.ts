import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newWebhookSecret } from '../../src/storage/secrets/webhook-secret.ts'
import { signatureHeaders } from '../../src/webhooks/signature.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { bodyOf } from '../support/builders.ts'
import { type LeashedProcess, spawnOnLeash } from '../support/leash.ts'
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts'
import { waitUntil } from '../support/wait-until.ts'
import { aTestEvent, headerOf, requestTo, settled, subscribe } from '../support/webhooks.ts'

const GUIDE = new URL('../../../../docs/guide-webhooks.md', import.meta.url)

/** The program of the guide in this language that listens. */
function programOf(language: string): string {
  const blocks = readFileSync(GUIDE, 'utf8').matchAll(/```(\w+)\n([\s\S]*?)```/g)
  const program = [...blocks].find(([, of, text = '']) => of === language && /listen/i.test(text))
  if (program?.[2] === undefined) throw new Error(`The guide has no receiver in ${language}.`)
  return program[2]
}

const hasPython = spawnSync('python3', ['--version']).status === 0

const RECEIVERS = [
  { language: 'js', command: process.execPath, file: 'receiver.mjs' },
  ...(hasPython ? [{ language: 'python', command: 'python3', file: 'receiver.py' }] : []),
]

describe.each(RECEIVERS)("the guide's receiver in $language", ({ language, command, file }) => {
  let app: TestApp
  let owner: Owner
  let secret: string
  let program: LeashedProcess
  let folder: string
  let url: string
  /** Stands between the gateway and the program, as somebody who listens in would. */
  let between: Receiver
  const lines: string[] = []

  beforeAll(async () => {
    app = await createTestApp()
    owner = await app.organization()
    secret = bodyOf(await owner.post('/organization/webhook-secret/rotate')).webhookSecret
    folder = mkdtempSync(join(tmpdir(), 'purser-receiver-'))
    const path = join(folder, file)
    writeFileSync(path, programOf(language))
    program = spawnOnLeash(command, [path], {
      env: { PATH: process.env['PATH'], WEBHOOK_SECRET: secret, PORT: '0' },
    })
    createInterface({ input: program.stdout }).on('line', (line) => lines.push(line))
    await waitUntil(() => lines.length > 0)
    url = `http://127.0.0.1:${/port (\d+)/.exec(lines[0] ?? '')?.[1]}/hook`
    between = await startReceiver((response, received) => {
      void post(received).then((status) => response.writeHead(status).end())
    })
    await subscribe(owner, between.url)
  })
  afterAll(async () => {
    program.kill()
    rmSync(folder, { recursive: true })
    await between.close()
    await app.stop()
  })

  async function post(
    { headers, body }: Pick<Received, 'headers' | 'body'>,
    changed: Readonly<Record<string, string>> = {},
  ): Promise<number> {
    const sent = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature']
    const kept = sent.map((name) => [name, String(headers[name] ?? '')])
    const all = { ...Object.fromEntries(kept), ...changed }
    return (await fetch(url, { method: 'POST', headers: all, body })).status
  }

  const taken = () => lines.filter((line) => /^(transaction|mandate)\./.test(line)).length

  async function aDelivery(): Promise<Received> {
    const number = between.received.length + 1
    const { id } = await aTestEvent(owner, 'transaction.rejected')
    expect((await settled(owner, id)).status).toBe('succeeded')
    return requestTo(between, number)
  }

  test('takes a real delivery, and does a replay of it no second time', async () => {
    const before = taken()
    const request = await aDelivery()
    await waitUntil(() => taken() === before + 1)
    expect(await post(request)).toBe(204)
    // What comes after it is done, so a second line would be there by then.
    await aDelivery()
    await waitUntil(() => taken() >= before + 2)
    expect(taken()).toBe(before + 2)
  })

  test('refuses a replay under another id, at another time, or with another body', async () => {
    const request = await aDelivery()
    const later = String(Number(headerOf(request, 'webhook-timestamp')) + 1)
    expect(await post(request, { 'webhook-id': 'evt_another' })).toBe(401)
    expect(await post(request, { 'webhook-timestamp': later })).toBe(401)
    expect(await post({ ...request, body: request.body.replace('rejected', 'approved') })).toBe(401)
    expect(await post(request, { 'webhook-signature': '' })).toBe(401)
    expect(await post(request, { 'webhook-id': '' })).toBe(401)
  })

  test.each([
    ['of ten minutes ago', -600],
    ['in ten minutes', 600],
  ])('refuses what was signed with the time %s', async (_, seconds) => {
    const body = '{"event":"transaction.approved","data":{}}'
    const at = Date.now() + seconds * 1_000
    const headers = signatureHeaders({ current: secret, previous: undefined }, 'evt_1', at, body)
    expect(await post({ headers, body })).toBe(401)
  })

  test('refuses a time that is no number, though it is signed', async () => {
    const body = '{"event":"transaction.approved","data":{}}'
    const headers = signatureHeaders({ current: secret, previous: undefined }, 'evt_1', NaN, body)
    expect(headers['webhook-timestamp']).toBe('NaN')
    expect(await post({ headers, body })).toBe(401)
  })

  test('takes either secret while both are valid, and no other', async () => {
    const body = '{"event":"transaction.approved","data":{}}'
    const [newer, stranger] = [newWebhookSecret(), newWebhookSecret()]
    const both = { current: newer, previous: secret }
    const signed = signatureHeaders(both, 'evt_both', Date.now(), body)
    expect(await post({ headers: signed, body })).toBe(204)
    const foreign = { current: newer, previous: stranger }
    const unknown = signatureHeaders(foreign, 'evt_foreign', Date.now(), body)
    expect(await post({ headers: unknown, body })).toBe(401)
  })
})
