import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { secretPurpose } from '../../src/paths/x402/storage/sealed-values.ts'
import { mintApiKey } from '../../src/storage/secrets/api-key-secret.ts'
import { createSealer } from '../../src/storage/secrets/sealed.ts'
import { aPayment } from '../paths/x402/payments.ts'
import {
  createTemporaryFolder,
  createTestDatabase,
  describeOnPostgres,
  type TestDatabase,
} from '../support/database.ts'
import { killPrograms, startProgram } from '../support/program.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { waitUntil } from '../support/wait-until.ts'

const MASTER_KEY = randomBytes(32)
interface WalletRow {
  readonly id: string
  readonly kind: 'local' | 'remote'
  readonly address: string
  readonly org: string
  readonly sealed: Buffer
}

/** Returns the cookie, as `name=value`. */
async function signIn(url: string, person: object): Promise<string> {
  const answer = await fetch(`${url}/console/api/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(person),
  })
  return answer.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
}

const aSecret = () => `secret${randomBytes(12).toString('hex')}`

describeOnPostgres('the log at its most talkative', () => {
  let database: TestDatabase
  let proxy: TcpProxy
  let receiver: Receiver
  let node: Receiver
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
  beforeEach(async () => {
    database = await createTestDatabase('postgres')
    proxy = await startTcpProxy(database.url)
    receiver = await startReceiver((response, _received, index) => {
      response.writeHead(index === 0 ? 500 : 200).end()
    })
    node = await startReceiver((response) => response.destroy())
    folder = await createTemporaryFolder()
  })
  afterEach(async () => {
    await killPrograms()
    await Promise.all([receiver.close(), node.close(), proxy.close()])
    await database.drop()
    await folder.remove()
  })

  /** What the gateway holds sealed: the keys of wallets, or what their signers know us by. */
  async function openWallets(): Promise<string[]> {
    const sealer = createSealer(MASTER_KEY)
    const rows = await database.db.query<WalletRow>({
      text: `select id, kind, address, organization_id as org, sealed_secret as sealed
             from wallets`,
    })
    return rows.map(({ org, sealed, ...wallet }) => sealer.open(org, secretPurpose(wallet), sealed))
  }

  test('holds no secret of requests that succeed and that fail', async () => {
    const [password, token, nodeKey, urlKey] = [aSecret(), aSecret(), aSecret(), aSecret()]
    const ada = { email: 'ada@example.com', password: aSecret() }
    const owner = mintApiKey('test').token
    const gateway = await startProgram({
      PURSER_DATA_DIR: folder.path,
      PURSER_INIT_ORG: 'Acme',
      PURSER_INIT_ADMIN_EMAIL: ada.email,
      PURSER_INIT_ADMIN_PASSWORD: ada.password,
      PURSER_INIT_API_KEY: owner,
      PURSER_LOG_LEVEL: 'trace',
      PURSER_LOG_DECISIONS: 'true',
      PURSER_MASTER_KEY: MASTER_KEY.toString('base64'),
      PURSER_WEBHOOK_RETRY_DELAYS: '1ms',
      PURSER_X402_NETWORKS: `eip155:84532 eip155:8453=${node.url}/${nodeKey}`,
      DATABASE_URL: Object.assign(new URL(proxy.url), { password }).href,
    })
    const url = await gateway.url()
    const ask = async (method: string, path: string, body?: unknown, key = owner) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const sent = body === undefined ? {} : { body: text }
      const answer = await fetch(`${url}/api/v1${path}`, { method, headers, ...sent })
      return { status: answer.status, body: JSON.parse(await answer.text()) }
    }

    const hook = `${receiver.url}?token=${token}`
    await ask('PATCH', '/organization', { webhookUrl: hook })
    const rotated = await ask('POST', '/organization/webhook-secret/rotate')
    const made = await ask('POST', '/api-keys', { name: 'Second' })
    const agent = await ask('POST', '/agents', { name: 'Agent' })
    const agentId: string = agent.body.id
    const mandate = await ask('POST', '/mandates', { agentId, budgetTotal: 100 })
    await ask('POST', `/mandates/${mandate.body.id}/activate`)
    const spend = { agentId, amount: 1, vendor: 'api.example.com', category: 'llm' }
    expect((await ask('POST', '/gateway/evaluate', spend, made.body.apiKey)).status).toBe(200)
    const local = await ask('POST', '/wallets', { name: 'Local' })
    const remote = await ask('POST', '/wallets', {
      name: 'Remote',
      address: `0x${'12'.repeat(20)}`,
      signerUrl: `${receiver.url}?token=${token}`,
    })
    const { id: walletId } = local.body
    const paid = await ask('POST', '/gateway/x402/pay', { ...aPayment(agentId), walletId })
    await ask('POST', '/gateway/x402/pay', { ...aPayment(agentId), walletId: remote.body.id })
    await ask('GET', '/wallets')
    await waitUntil(() => receiver.received.length >= 2 && node.received.length > 0)

    const [issuerKey, shopKey, orderSecret] = [aSecret(), aSecret(), aSecret()]
    const card = { id: 'card', label: 'Card', issuer: 'stripe', paymentMethod: 'pm_1' }
    const acp = { apiBaseUrl: 'https://1.1.1.1', version: '2026-04-17', merchantIds: ['m'] }
    const shop = {
      host: '1.1.1.1',
      acp: { ...acp, credential: shopKey, webhookSecret: orderSecret },
    }
    for (const instruments of [[{ ...card, credential: issuerKey }], [{ credential: issuerKey }]]) {
      await ask('PATCH', '/organization', { acp: { instruments } })
    }
    const entered = await ask('POST', '/vendors', shop)
    await ask('POST', '/vendors', shop)
    const orderUrl: string = entered.body.acp.orderUrl

    const wrong = made.body.apiKey.slice(0, -7) + 'Z'.repeat(7)
    await ask('GET', '/agents', undefined, wrong)
    await ask('GET', `/agents?key=${urlKey}`)
    await ask('GET', `/nowhere/${urlKey}?key=${urlKey}`)
    await ask('POST', '/agents', `{"name": "${urlKey}`)
    await ask('POST', '/agents', { name: 'A', apiKey: urlKey })
    const cookie = await signIn(url, ada)
    proxy.goAway()
    expect((await ask('POST', '/gateway/evaluate', spend)).status).toBe(503)
    await waitUntil(() => proxy.refused > 3)
    proxy.comeBack()
    await waitUntil(async () => (await ask('POST', '/gateway/evaluate', spend)).status === 200)
    await waitUntil(() => gateway.lines.some((line) => line.includes('answers again')))

    const secrets = {
      'the password of the database': password,
      'the first key': owner.slice(-38),
      'the password of the first owner': ada.password,
      'the cookie of the first owner': cookie.split('=')[1],
      'a key': made.body.apiKey.slice(-38),
      'a wrong key': wrong.slice(-38),
      'the secret of webhooks': rotated.body.webhookSecret.replace('whsec_', ''),
      'a token in the URL of a receiver or signer': token,
      'the key in the URL of a node': nodeKey,
      'what somebody wrote into a request': urlKey,
      'the secret of a signer': remote.body.signerSecret,
      'a signature of a payment': paid.body.payment.payload.payload.signature,
      'the key of a token issuer': issuerKey,
      'what a shop knows us by': shopKey,
      'what a shop signs with': orderSecret,
      'the token of an order URL': orderUrl.split('/').at(-2),
      'the master key': MASTER_KEY.toString('base64'),
      'the master key in hex': MASTER_KEY.toString('hex'),
    }
    const [first, second] = await openWallets()
    const all = { ...secrets, 'what is sealed of a wallet': first, 'of another': second }
    const text = [...gateway.lines, ...gateway.told].join('\n').toLowerCase()
    expect(text).toContain('"msg":"approved."')
    for (const [what, secret] of Object.entries(all)) {
      expect(String(secret).length, what).toBeGreaterThan(20)
      const bare = String(secret).toLowerCase().replace(/^0x/, '')
      expect(text.includes(bare), what).toBe(false)
    }
  })
})
