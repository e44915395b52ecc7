import { isHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toUuid } from '../../../src/core/id.ts'
import { secretPurpose } from '../../../src/paths/x402/storage/sealed-values.ts'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { aKey, anAgent, bodyOf } from '../../support/builders.ts'
import { usualEngine } from '../../support/database.ts'
import { dumpTables } from '../../support/tables.ts'
import { sealer } from '../../support/tenant.ts'
import { type NewWallet, type WalletPage, WITHOUT_NODE } from './payments.ts'
import { PAYER, USDC } from './some-offer.ts'

const SIGNER_URL = 'http://127.0.0.1:9/sign'
const REMOTE = { name: 'Custodian', address: PAYER, signerUrl: SIGNER_URL }

describe('a wallet', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp(usualEngine(), WITHOUT_NODE)
    acme = await app.organization()
  })
  afterAll(() => app.stop())

  async function make(
    owner: Owner,
    fields: object = { name: 'Payments' },
    headers = {},
  ): Promise<NewWallet> {
    const answer = await owner.post('/wallets', fields, headers)
    bodyOf(answer)
    return JSON.parse(answer.text)
  }
  async function list(owner: Owner, query = ''): Promise<WalletPage> {
    const answer = await owner.get(`/wallets${query}`)
    bodyOf(answer)
    return JSON.parse(answer.text)
  }
  async function sealedSecretOf(wallet: NewWallet): Promise<Buffer> {
    const [row] = await app.rows<{ sealed: Buffer }>(
      'select sealed_secret as sealed from wallets where id = $1',
      [toUuid('wal', wallet.id)],
    )
    return row?.sealed ?? Buffer.alloc(0)
  }
  /** With the master key of the tests, which nobody outside of the process has. */
  function unseal({ id, address }: NewWallet, sealed: Buffer): string {
    const purpose = secretPurpose({ kind: 'local', id: toUuid('wal', id) ?? '', address })
    return sealer.open(acme.organizationId, purpose, sealed)
  }

  describe('that the gateway holds', () => {
    test('is made with a fresh key and told by its address', async () => {
      const [first, second] = [await make(acme), await make(acme)]
      expect(first).toEqual({
        id: expect.stringMatching(/^wal_[0-9a-f]{32}$/),
        name: 'Payments',
        type: 'local',
        address: expect.stringMatching(/^0x[0-9a-f]{40}$/),
        signerUrl: null,
        networks: ['eip155:84532'],
        createdAt: expect.any(String),
        createdBy: expect.stringMatching(/^key_/),
        signerSecret: null,
      })
      expect(second.address).not.toBe(first.address)
    })

    test('has the key of its address, which is nowhere in plain', async () => {
      const headers = { 'idempotency-key': `plain` }
      const made = await acme.post('/wallets', { name: 'Sealed' }, headers)
      const again = await acme.post('/wallets', { name: 'Sealed' }, headers)
      const wallet: NewWallet = JSON.parse(made.text)
      const sealed = await sealedSecretOf(wallet)
      const key = unseal(wallet, sealed)
      expect(isHex(key) && privateKeyToAddress(key).toLowerCase()).toBe(wallet.address)

      const listed = await acme.get('/wallets')
      const dumped = await dumpTables(app.database.db)
      const seen = [made.text, again.text, listed.text, dumped].join('\n').toLowerCase()
      const digits = key.slice(2)
      const spellings = [
        digits,
        BigInt(key).toString(),
        Buffer.from(digits, 'hex').toString('base64').slice(0, 40).toLowerCase(),
        // A column of bytes is dumped as hexadecimal digits.
        Buffer.from(digits).toString('hex'),
      ]
      expect(dumped).toContain(sealed.toString('hex'))
      expect(spellings.filter((spelling) => seen.includes(spelling))).toEqual([])
    })

    test('has a key that does not open in the row of another wallet or organization', async () => {
      const [mine, other] = [await make(acme), await make(acme)]
      const sealed = await sealedSecretOf(mine)
      expect(() => unseal(other, sealed)).toThrow()
      expect(() => unseal({ ...mine, address: other.address }, sealed)).toThrow()
      const purpose = secretPurpose({
        kind: 'local',
        id: toUuid('wal', mine.id) ?? '',
        address: mine.address,
      })
      const globex = await app.organization('Globex')
      expect(() => sealer.open(globex.organizationId, purpose, sealed)).toThrow()
    })
  })

  describe('that somebody else holds', () => {
    test('is told its secret once', async () => {
      const owner = await app.organization('Secrets')
      const wallet = await make(owner, REMOTE)
      expect(wallet).toMatchObject({ type: 'remote', address: PAYER, signerUrl: SIGNER_URL })
      expect(wallet.signerSecret).toMatch(/^wss_[A-Za-z0-9_-]{43}$/)
      const secret = wallet.signerSecret ?? ''
      const listed = await owner.get('/wallets')
      const dumped = await dumpTables(app.database.db)
      expect(listed.text).toContain(wallet.id)
      expect(listed.text).not.toContain('signerSecret')
      for (const spelling of [secret, Buffer.from(secret).toString('hex')]) {
        expect(listed.text + dumped).not.toContain(spelling)
      }
    })

    test('has an address that no other of the organization has, in any spelling', async () => {
      const owner = await app.organization('Twice')
      await make(owner, REMOTE)
      const address = `0x${PAYER.slice(2).toUpperCase()}`
      const again = await owner.post('/wallets', { ...REMOTE, address })
      expect([again.status, again.body.code]).toEqual([409, 'wallet_address_taken'])
      expect((await list(owner)).total).toBe(1)
      await make(await app.organization('Elsewhere'), REMOTE)
    })

    test.each([
      ['a private network', 'https://10.0.0.1/sign', 'address_refused'],
      ['the metadata service of clouds', 'http://169.254.169.254/', 'address_refused'],
      ['a unique local address', 'https://[fd00::1]/sign', 'address_refused'],
      ['a public address without TLS', 'http://1.1.1.1/sign', 'url_refused'],
      ['a user name', 'https://user@1.1.1.1/', 'url_refused'],
      ['another scheme', 'file:///etc/passwd', 'url_refused'],
      ['no URL', 'signer', 'url_refused'],
      ['nothing', '', 'url_refused'],
    ])('is not asked at %s', async (_, signerUrl, code) => {
      const owner = await app.organization('Refused')
      const { status, body } = await owner.post('/wallets', { ...REMOTE, signerUrl })
      expect([status, body.code]).toEqual([400, 'validation_failed'])
      expect(body.errors).toMatchObject([{ path: '/signerUrl', code }])
      expect((await list(owner)).total).toBe(0)
    })

    test.each([
      ['an address that is too short', { ...REMOTE, address: '0x12' }, '/address'],
      ['no address', { name: 'Half', signerUrl: SIGNER_URL }, '/signerUrl'],
      ['no signer', { name: 'Half', address: PAYER }, '/address'],
      ['its key', { ...REMOTE, privateKey: `0x${'1'.repeat(64)}` }, '/privateKey'],
    ])('is refused with %s', async (_, fields, path) => {
      const { status, body } = await acme.post('/wallets', fields)
      expect([status, body.code]).toEqual([400, 'validation_failed'])
      expect(body.errors.map((error) => error.path)).toEqual([path])
    })
  })

  test('is made once for an Idempotency-Key, and another body is a conflict', async () => {
    const owner = await app.organization('Once')
    const headers = { 'idempotency-key': 'once' }
    const [first, second] = [await make(owner, REMOTE, headers), await make(owner, REMOTE, headers)]
    expect(second).toEqual(first)
    const other = await owner.post('/wallets', { name: 'Other' }, headers)
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_key_reused'])
    expect((await list(owner)).total).toBe(1)
  })

  test('is listed newest first, with balances that nobody can tell without a node', async () => {
    const owner = await app.organization('Listed')
    for (const name of ['First', 'Second', 'Third']) await make(owner, { name })
    const first = await list(owner, '?limit=2')
    const second = await list(owner, `?limit=2&cursor=${first.nextCursor}`)
    const wallets = [...first.data, ...second.data]
    expect(wallets.map(({ name }) => name)).toEqual(['Third', 'Second', 'First'])
    const asset = USDC.toLowerCase()
    expect(wallets[0]?.balances).toEqual([
      { network: 'eip155:84532', asset, symbol: 'USDC', balance: null },
    ])
  })

  test('is not seen by another organization', async () => {
    const wallet = await make(acme)
    const stranger = await app.organization('Stranger')
    expect((await stranger.get('/wallets')).text).not.toContain(wallet.address)
  })

  test('is seen with wallets:read and made with wallets:write, never with the key of an agent', async () => {
    const { client: reader } = await aKey(app, acme, { scopes: ['wallets:read'] })
    const { client: payer } = await aKey(app, acme, { scopes: ['gateway:write'] })
    const { client: bound } = await aKey(app, acme, { agentIds: [(await anAgent(acme)).id] })
    const body = { name: 'Not mine' }
    const outcomes = [
      await reader.get('/wallets'),
      await reader.post('/wallets', body),
      await payer.get('/wallets'),
      await payer.post('/wallets', body),
      await bound.get('/wallets'),
      await bound.post('/wallets', body),
      await app.client('').get('/wallets'),
    ].map(({ status, body: { code } }) => (status === 200 ? 'seen' : code))
    expect(outcomes).toEqual([
      'seen',
      ...Array(3).fill('insufficient_scope'),
      ...Array(2).fill('agent_bound_key'),
      'unauthenticated',
    ])
  })
})
