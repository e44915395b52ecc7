import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { audit } from '../../support/audit.ts'
import { anActiveMandate } from '../../support/builders.ts'
import { usualEngine } from '../../support/database.ts'
import { type Behaviour, type Receiver, startReceiver } from '../../support/receiver.ts'
import { budgetOf } from '../../support/spends.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { payerOf } from './payer-of.ts'
import {
  aPayment,
  aWallet,
  type NewWallet,
  pay,
  readRecord,
  refusalOf,
  WITHOUT_NODE,
} from './payments.ts'
import { PAYEE, USDC } from './some-offer.ts'

const account = privateKeyToAccount(generatePrivateKey())
const stranger = privateKeyToAccount(generatePrivateKey())
const ONCE_AN_HOUR = { type: 'limit', maxCount: 1, window: '1h' }

/** A custodian with this key, as a small program of somebody else would be. */
function signWith(key: LocalAccount, write = (signature: string) => signature): Behaviour {
  return (response, { body }) => {
    key.signTypedData(JSON.parse(body).typedData).then(
      (signature) => response.end(JSON.stringify({ signature: write(signature) })),
      () => response.destroy(),
    )
  }
}

/** Some end with 0 or 1 where others say 27 or 28. */
function withParity(signature: string): string {
  return `${signature.slice(0, -2)}0${Number.parseInt(signature.slice(-2), 16) - 27}`
}

/** The other of the two signatures that say the same, which tokens refuse. */
function withHighS(signature: string): string {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const s = order - BigInt(`0x${signature.slice(66, 130)}`)
  const ending = signature.endsWith('1b') ? '1c' : '1b'
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${ending}`
}

let app: TestApp
let acme: Owner
let signer: Receiver
let wallet: NewWallet
let count = 0

const aFreshKey = () => ({ 'idempotency-key': `remote ${count++}` })

beforeAll(async () => {
  app = await createTestApp(usualEngine(), WITHOUT_NODE)
  acme = await app.organization()
  signer = await startReceiver()
  wallet = await aWallet(acme, { address: account.address, signerUrl: signer.url })
})
afterEach(() => signer.behave(signWith(account)))
afterAll(async () => {
  const broken = await audit(app.database.db)
  await app.stop()
  await signer.close()
  expect(broken).toEqual([])
})

const heldOf = async (agentId: string): Promise<number> => {
  const { body } = await acme.get(`/transactions?agentId=${agentId}&status=held`)
  return body.total
}

describe('a remote wallet', () => {
  test('has its payments signed by whoever holds its key', async () => {
    signer.behave(signWith(account))
    const { agentId } = await anActiveMandate(acme)
    const { payment } = await pay(acme, agentId)
    expect(await payerOf(payment?.headerValue ?? '')).toBe(account.address.toLowerCase())
  })

  test('shows its signer what is signed, and proves who asks', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { payment } = await pay(acme, agentId)
    const received = signer.received.at(-1)
    const body = received?.body ?? ''
    const proof = createHmac('sha256', wallet.signerSecret ?? '')
      .update(body)
      .digest('hex')
    expect(received?.headers['x-service-signature']).toBe(proof)
    expect(received?.headers['content-type']).toBe('application/json')
    const { address, typedData } = JSON.parse(body)
    expect(address).toBe(wallet.address)
    expect(typedData.domain).toMatchObject({ chainId: 84_532, verifyingContract: USDC })
    expect(typedData.primaryType).toBe('TransferWithAuthorization')
    expect(typedData.message).toMatchObject({
      from: account.address,
      to: expect.stringMatching(new RegExp(PAYEE, 'i')),
      value: '10000',
      nonce: payment?.nonce,
    })
  })

  test.each([
    ['a bare parity', withParity],
    ['a high s', withHighS],
  ])(
    'may have signatures with %s, which are turned into the form of the token',
    async (_, form) => {
      signer.behave(signWith(account, form))
      const { agentId } = await anActiveMandate(acme)
      const { payment } = await pay(acme, agentId)
      expect(payment?.payload).toMatchObject({
        payload: { signature: expect.stringMatching(/^0x[0-9a-f]{64}[0-7][0-9a-f]{63}1[bc]$/) },
      })
      expect(await payerOf(payment?.headerValue ?? '')).toBe(wallet.address)
    },
  )

  test('is not asked about a payment that is rejected', async () => {
    const { agentId } = await anActiveMandate(acme, { budgetTotal: 0.001 })
    const before = signer.received.length
    expect((await pay(acme, agentId)).status).toBe('rejected')
    expect(signer.received).toHaveLength(before)
  })

  test.each<[string, Behaviour]>([
    ['signs with another key', signWith(stranger)],
    [
      'gives a signature of something else',
      (response) => response.end(`{"signature":"0x${'11'.repeat(65)}"}`),
    ],
    ['gives half a signature', (response) => response.end('{"signature":"0x1234"}')],
    ['gives a signature that is no hexadecimal', (response) => response.end('{"signature":"yes"}')],
    ['gives nothing', (response) => response.end('{}')],
    ['gives null', (response) => response.end('null')],
    ['gives no JSON', (response) => response.end('<html></html>')],
    ['gives more than a signature', (response) => response.end('x'.repeat(100_000))],
    ['refuses', (response) => response.writeHead(403).end('{"signature":"0x"}')],
    ['sends elsewhere', (response) => response.writeHead(307, { location: signer.url }).end()],
    ['breaks off', (response) => response.destroy()],
  ])('pays nothing and holds nothing when its signer %s', async (_, behaviour) => {
    const { agentId, id } = await anActiveMandate(acme, { rules: [ONCE_AN_HOUR] })
    signer.behave(behaviour)
    expect(await refusalOf(acme, agentId)).toEqual([503, 'signer_unavailable'])
    expect([await heldOf(agentId), await budgetOf(acme, id)]).toEqual([0, [0, 0, 100]])
    // Nor does a limit count what was not paid.
    signer.behave(signWith(account))
    expect((await pay(acme, agentId)).status).toBe('signed')
  })

  test('pays nothing and holds nothing when its signer is down', async () => {
    const gone = await startReceiver()
    await gone.close()
    const address = stranger.address
    const { id: walletId } = await aWallet(acme, { address, signerUrl: gone.url })
    const { agentId, id } = await anActiveMandate(acme)
    expect(await refusalOf(acme, agentId, { walletId })).toEqual([503, 'signer_unavailable'])
    expect([await heldOf(agentId), await budgetOf(acme, id)]).toEqual([0, [0, 0, 100]])
  })

  test('leaves a failed signature on record as given back', async () => {
    const { agentId } = await anActiveMandate(acme)
    signer.behave((response) => response.destroy())
    await refusalOf(acme, agentId)
    const { body } = await acme.get(`/transactions?agentId=${agentId}`)
    const [transaction] = body.data
    expect(await readRecord(acme, transaction?.transactionId ?? '')).toMatchObject({
      decision: 'approved',
      status: 'voided',
      heldAmount: 0,
      external: { settlement: 'unsigned' },
    })
  })
})

describe('the Idempotency-Key of a payment of a remote wallet', () => {
  test('is used up by a failed signature: its hold is gone, and nothing is signed without one', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const headers = aFreshKey()
    signer.behave((response) => response.destroy())
    const failed = await acme.post('/gateway/x402/pay', aPayment(agentId), headers)
    expect([failed.status, failed.body.code]).toEqual([503, 'signer_unavailable'])
    expect(failed.body.detail).toContain('its hold was released')
    signer.behave(signWith(account))
    expect(await refusalOf(acme, agentId, {}, headers)).toEqual([503, 'signer_unavailable'])
    expect([await heldOf(agentId), await budgetOf(acme, id)]).toEqual([0, [0, 0, 100]])
    expect((await pay(acme, agentId, {}, aFreshKey())).status).toBe('signed')
  })

  test('gives the signature that was given away, also while its signer is down', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 1 })
    const headers = aFreshKey()
    const first = await pay(acme, agentId, {}, headers)
    signer.behave((response) => response.destroy())
    expect((await pay(acme, agentId, {}, headers)).payment).toEqual(first.payment)
    expect(await budgetOf(acme, id)).toEqual([0.01, 0.01, 0.99])
  })

  /** Two requests that both wait for the signer, of which the first to be answered is signed. */
  async function twoRequests(agentId: string, headers: Record<string, string>) {
    const asked: Parameters<Behaviour>[] = []
    signer.behave((...request) => void asked.push(request))
    const send = () => acme.post('/gateway/x402/pay', aPayment(agentId), headers)
    const sent = [send(), send()]
    await waitUntil(() => asked.length === 2)
    const answerNext = (behaviour: Behaviour) => {
      const next = asked.shift()
      assert(next)
      behaviour(...next)
    }
    answerNext(signWith(account))
    return { first: await Promise.race(sent), both: Promise.all(sent), answerNext }
  }

  test('gives two requests the signature that was stored first', async () => {
    const { agentId } = await anActiveMandate(acme)
    const stored = () =>
      app.rows(
        `select p.signature, p.handed_out_at from x402_payments p
         join transactions t on t.id = p.id where t.agent_id = $1`,
        [agentId],
      )
    const { both, answerNext } = await twoRequests(agentId, aFreshKey())
    const before = await stored()
    answerNext(signWith(account))
    const [one, two] = await both
    expect([one?.status, two?.text]).toEqual([200, one?.text])
    expect(await stored()).toEqual(before)
  })

  test('may be sent again where only one of two requests was signed, which holds the money', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 1 })
    const headers = aFreshKey()
    const { first, both, answerNext } = await twoRequests(agentId, headers)
    answerNext((response) => response.destroy())
    const failed = (await both).find((answer) => answer !== first)
    expect([failed?.body.code, failed?.headers['retry-after']]).toEqual(['signer_unavailable', '1'])
    expect(await budgetOf(acme, id)).toEqual([0.01, 0.01, 0.99])
    expect((await pay(acme, agentId, {}, headers)).payment).toEqual(first.body.payment)
  })
})
