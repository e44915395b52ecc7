import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { toUuid } from '../../src/core/id.ts'
import { createTestApp, joinTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aKey, anActiveMandate } from '../support/builders.ts'
import { copyRows } from '../support/copy-rows.ts'
import { describeOnPostgres } from '../support/database.ts'
import { openEventStream } from '../support/event-stream.ts'
import { seed } from '../support/seed.ts'
import { evaluate } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'

describeOnPostgres('a revocation', () => {
  let first: TestApp
  let second: TestApp
  let acme: Owner
  let urls: readonly string[]

  beforeAll(async () => {
    first = await createTestApp('postgres')
    second = await joinTestApp(first)
    acme = await first.organization()
    // Nothing that is cached becomes too old: what ends it is that it is told of.
    first.clock.now = second.clock.now = Date.now()
    const anywhere = { port: 0, host: '127.0.0.1' }
    urls = [await first.app.listen(anywhere), await second.app.listen(anywhere)]
  })
  afterAll(async () => {
    await second.stop()
    await first.stop()
  })

  async function copySpend(transactionId: string, copies: number): Promise<void> {
    await seed(
      first,
      copyRows(
        'transactions',
        `jsonb_build_object('id', gen_random_uuid(),
           'details', jsonb_build_object('padding', repeat('x', 40000)))`,
        'generate_series(1, $2::int)',
        'r.id = $1',
      ),
      [toUuid('txn', transactionId), copies],
    )
  }

  test('ends the event streams of the key in every process, and no other', async () => {
    // Nothing that is done every so often is due, so what ends the streams is that they are told.
    const frozen = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    onTestFinished(() => frozen.mockRestore())
    const { key } = await aKey(first, acme)
    const opened = await Promise.all(
      urls.flatMap((url) => [openEventStream(url, key.apiKey), openEventStream(url, acme.apiKey)]),
    )
    onTestFinished(() => {
      for (const stream of opened) stream.close()
    })
    await waitUntil(() => opened.every(({ text }) => text !== ''))
    expect((await acme.delete(`/api-keys/${key.id}`)).status).toBe(200)
    const [one, own, two, ownToo] = opened
    await waitUntil(() => one?.end === 'ended' && two?.end === 'ended')
    expect([own?.end, ownToo?.end]).toEqual([undefined, undefined])
  })

  test('cuts off the exports of the key in every process', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { transactionId } = await evaluate(acme, agentId, { amount: 1 })
    // More than a connection buffers, so that each export is still under way.
    for (let copies = 0; copies < 600; copies += 60) await copySpend(transactionId, 60)
    const { key } = await aKey(first, acme)
    const exports = await Promise.all(urls.map((url) => openExport(url, key.apiKey)))
    onTestFinished(() => {
      for (const { response } of exports) response.destroy()
    })
    expect((await acme.delete(`/api-keys/${key.id}`)).status).toBe(200)
    await waitUntil(async () => {
      // It is read on, but slowly: a client that takes nothing is cut off for that.
      for (const { response } of exports) response.read(1_024)
      return (await Promise.all([first, second].map(connectionsOf))).every((open) => open === 0)
    })
    for (const { response, isOver } of exports) {
      response.resume()
      await waitUntil(isOver)
      expect(response.complete).toBe(false)
    }
  })
})

const connectionsOf = ({ app: { server } }: TestApp): Promise<number> =>
  new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )

/** An export whose rest waits to be read. */
function openExport(url: string, apiKey: string) {
  const address = `${url}/api/v1/transactions/export?format=ndjson`
  const headers = { authorization: `Bearer ${apiKey}` }
  return new Promise<{ response: IncomingMessage; isOver(): boolean }>((resolve, reject) => {
    const call = get(address, { agent: false, headers }, (response) => {
      let isOver = false
      response.on('error', () => {})
      response.once('close', () => {
        isOver = true
      })
      response.once('readable', () => resolve({ response, isOver: () => isOver }))
    })
    call.once('error', reject)
  })
}
