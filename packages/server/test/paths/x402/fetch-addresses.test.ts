import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeOnChain } from '../../support/x402/describe-on-chain.ts'
import { type FetchShop, type Mall, startMall } from '../../support/x402/mall.ts'

/** Something inside: it counts who connects, and says nothing. */
interface Inside {
  readonly port: number
  readonly connections: () => number
  stop(): Promise<void>
}

async function startInside(): Promise<Inside> {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    port,
    connections: () => connections,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

describeOnChain('a gateway that is not told otherwise', () => {
  let mall: Mall
  let shop: FetchShop
  let inside: Inside
  beforeAll(async () => {
    mall = await startMall({ config: { outbound: { allowLoopback: false, allowedNetworks: [] } } })
    shop = await mall.openShop()
    inside = await startInside()
  })
  afterAll(async () => {
    await inside?.stop()
    await mall?.stop()
  })

  async function expectNobodyCalled(buyer = shop): Promise<void> {
    expect(inside.connections()).toBe(0)
    expect(await buyer.stored()).toEqual([])
    expect(await buyer.budget()).toEqual({ spent: 0, held: 0, left: 1 })
  }

  const INTERNAL = [
    ...['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', 'localhost', 'a.localhost'],
    ...['127.0.0.1.', 'LOCALHOST', '169.254.169.254', '10.0.0.1', '172.16.0.1', '192.168.0.1'],
    ...['100.64.0.1', '0.0.0.0', '[fe80::1]', '[fd00::1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]'],
  ]

  test('calls nothing inside, and says the same of all of it', async () => {
    const told = new Set<string>()
    for (const host of INTERNAL) {
      for (const scheme of ['http', 'https']) {
        const { status, body } = await shop.pay({ url: `${scheme}://${host}:${inside.port}/` })
        expect([status, body.code], `${scheme}://${host}`).toEqual([422, 'url_not_allowed'])
        told.add(body.detail)
      }
    }
    expect([...told]).toEqual(['The gateway may not call this URL.'])
    await expectNobodyCalled()
  })

  test.each([
    ...['127.1', '0x7f000001', '2130706433', '0177.0.0.1', '0x7f.1', '0', '１２７.0.0.1'],
    ...['127。0。0。1', '127.0.0.1%2f', 'user@127.0.0.1', '127.0.0.1\\@vendor.example'],
  ])('does not read %s as a host at all', async (host) => {
    for (const scheme of ['http', 'https']) {
      const { status, body } = await shop.pay({ url: `${scheme}://${host}:${inside.port}/` })
      expect([status, body.code]).toEqual([400, 'validation_failed'])
      expect(body.errors).toMatchObject([{ path: '/url' }])
    }
    await expectNobodyCalled()
  })

  test('does not ask a vendor inside whether an offer is its own', async () => {
    const doubter = await mall.openShop({ rules: [{ type: 'vendors', allow: ['127.0.0.1'] }] })
    const url = `http://127.0.0.1:${inside.port}/`
    const { body } = await doubter.pay({ ...doubter.offer({ resource: url }), url })
    expect(body).toMatchObject({
      status: 'rejected',
      evaluationDetails: { code: 'payee_mismatch' },
    })
    await expectNobodyCalled(doubter)
  })
})
