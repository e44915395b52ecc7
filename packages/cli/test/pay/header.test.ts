import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callPurser } from '../support/in-process.ts'

/** Keeps the requests. No gateway is needed to see what the command sends. */
const sent: unknown[] = []
const gateway = createServer(async (request, response) => {
  sent.push(await json(request))
  response.writeHead(409).end('{"status":409,"code":"wallet_not_configured","detail":"No wallet."}')
})
beforeAll(() => once(gateway.listen(0, '127.0.0.1'), 'listening'))
afterAll(() => void gateway.close())

async function pay(...headers: readonly string[]) {
  const options = headers.flatMap((header) => ['--header', header])
  const { told, exited } = await callPurser(
    ['pay', 'https://a.example', '--max', '1', ...options],
    {
      PURSER_BASE_URL: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
      PURSER_API_KEY: 'psr_test_x',
      VENDOR_TOKEN: 'Bearer hunter2',
      EMPTY: '',
    },
  )
  return { code: await exited(), told: told.join('\n') }
}

test('a header takes its value from a variable, so that no argument has the secret', async () => {
  await pay('authorization: @env:VENDOR_TOKEN', 'accept: text/csv', 'from: a@env:b')
  expect(sent).toMatchObject([
    {
      request: {
        headers: { authorization: 'Bearer hunter2', accept: 'text/csv', from: 'a@env:b' },
      },
    },
  ])
})

test.each(['EMPTY', 'MISSING', ''])(
  'the variable "%s" has no value, so nothing is sent',
  async (name) => {
    sent.length = 0
    const ended = await pay(`authorization: @env:${name}`)
    expect(ended).toMatchObject({ code: 2, told: expect.stringContaining('is not set') })
    expect(sent).toEqual([])
  },
)
