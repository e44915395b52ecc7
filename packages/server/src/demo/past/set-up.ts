import { randomBytes } from 'node:crypto'
import { createOrganization } from '../../process/setup.ts'
import { type Caller, callerWithKey } from '../caller.ts'
import { addressesAt, HOSTS } from '../places.ts'
import { AGENTS, type AgentName, type DemoAgent, type DemoRecord } from '../record.ts'
import { NETWORK } from '../stand-ins/chain.ts'
import { ACP_VERSION, type ShopSecrets } from '../stand-ins/shop.ts'
import type { DemoGateway } from '../start.ts'
import { AGENT_PLANS } from './mandates.ts'
import { createPeople, type DemoPeople } from './people.ts'

const ORGANIZATION = 'Lindqvist & Co'
const FUNDS = 250_000_000n

export const CARDS = { travel: 'crd_demo_travel', ops: 'crd_demo_ops' } as const

/** Merchants as a card network names them. */
export const MERCHANTS = {
  scandic: { name: 'SCANDIC HOTELS 1042', id: '710200300401', mcc: '7011', country: 'SE' },
  taxi: { name: 'TAXI STOCKHOLM', id: '710200300402', mcc: '4121', country: 'SE' },
  coffee: { name: 'ESPRESSO HOUSE 88', id: '710200300403', mcc: '5814', country: 'SE' },
  casino: { name: 'COSMOPOL CASINO', id: '710200300404', mcc: '7995', country: 'SE' },
  github: { name: 'GITHUB INC', id: '710200300405', mcc: '7372', country: 'US' },
} as const

const VENDORS = [
  { host: 'api.openai.com', name: 'OpenAI', category: 'llm' },
  { host: 'api.anthropic.com', name: 'Anthropic', category: 'llm' },
  { host: 'sas.se', name: 'SAS', category: 'travel' },
  { host: 'sj.se', name: 'SJ', category: 'travel' },
  { host: 'scandichotels.com', name: 'Scandic Hotels', category: 'travel', merchant: 'scandic' },
  { host: 'taxistockholm.se', name: 'Taxi Stockholm', category: 'transport', merchant: 'taxi' },
  {
    host: 'espressohouse.com',
    name: 'Espresso House',
    category: 'restaurants',
    merchant: 'coffee',
  },
  { host: 'github.com', name: 'GitHub', category: 'software', merchant: 'github' },
  { host: 'hetzner.com', name: 'Hetzner', category: 'cloud_data' },
] as const

export function newShopSecrets(): ShopSecrets {
  const secret = (prefix: string): string => `${prefix}${randomBytes(24).toString('base64url')}`
  return {
    shopCredential: secret('shop_'),
    providerCredential: secret('sk_demo_'),
    merchantId: secret('acct_').slice(0, 24),
  }
}

/** Creates the organization, its people, and everything that its agents spend with. */
export async function setUp(
  gateway: DemoGateway,
  shop: ShopSecrets,
): Promise<{ readonly record: DemoRecord; readonly people: DemoPeople }> {
  const { app, storage, config, time } = gateway
  const created = await createOrganization(storage, config, ORGANIZATION, time)
  const operator = callerWithKey(app, created.apiKey)
  await operator.patch('/organization', { timezone: 'Europe/Stockholm' })
  const people = await createPeople(gateway)
  const ada = await people.ada()
  const agents = await createAgents(ada)
  const shopVendorId = await connectShop(ada, gateway, shop)
  const { walletAddress, payTo } = await createWallet(ada, gateway)
  for (const { merchant, ...vendor } of VENDORS.map((one) => ({ merchant: undefined, ...one }))) {
    const aliases = merchant ? { cardAliases: [{ merchantId: MERCHANTS[merchant].id }] } : {}
    await ada.post('/vendors', { ...vendor, ...aliases })
  }
  const card = await connectCards(ada, agents)
  await createFurtherKeys(ada, gateway)
  return {
    people,
    record: {
      ...{ ...created, agents, card, shopVendorId, walletAddress, payTo, shop },
      standInPort: gateway.standInPort,
    },
  }
}

async function createAgents(ada: Caller): Promise<Record<AgentName, DemoAgent>> {
  const agents: Partial<Record<AgentName, DemoAgent>> = {}
  for (const name of AGENTS) {
    const { rules, budgetTotal, percentUsed: _, ...agent } = AGENT_PLANS[name]
    const { id } = await ada.post('/agents', agent)
    const mandate = await ada.post('/mandates', { agentId: id, budgetTotal, rules })
    await ada.post(`/mandates/${mandate.id}/activate`)
    const { apiKey } = await ada.post('/api-keys', {
      name: `${agent.name}, production`,
      agentIds: [id],
    })
    agents[name] = { id, mandateId: mandate.id, apiKey }
  }
  return agents as Record<AgentName, DemoAgent>
}

/** One key that expires within a week, one for reading, and one that was revoked. */
async function createFurtherKeys(ada: Caller, { startedAt }: DemoGateway): Promise<void> {
  const expiresAt = new Date(startedAt + 5 * 86_400_000).toISOString()
  await ada.post('/api-keys', { name: 'Finance export', scopes: ['transactions:read'], expiresAt })
  const { id } = await ada.post('/api-keys', { name: 'Laptop of Ada', scopes: ['agents:read'] })
  await ada.delete(`/api-keys/${id}`)
}

async function connectShop(
  ada: Caller,
  { standInPort }: DemoGateway,
  { shopCredential, providerCredential, merchantId }: ShopSecrets,
): Promise<string> {
  const addresses = addressesAt(standInPort)
  await ada.patch('/organization', {
    acp: {
      instruments: [
        {
          id: 'company-card',
          label: 'Company card',
          issuer: 'delegate_payment',
          baseUrl: addresses.provider,
          paymentMethod: 'pm_company_card',
          credential: providerCredential,
        },
      ],
    },
  })
  const { id } = await ada.post('/vendors', {
    host: HOSTS.shop,
    name: 'Paperwings',
    category: 'office_supplies',
    acp: {
      apiBaseUrl: addresses.shop,
      version: ACP_VERSION,
      credential: shopCredential,
      merchantIds: [merchantId],
    },
  })
  return id
}

async function createWallet(
  ada: Caller,
  { chain }: DemoGateway,
): Promise<{ readonly walletAddress: string; readonly payTo: string }> {
  const { address: walletAddress } = await ada.post('/wallets', { name: 'Data purchases' })
  chain.fund(walletAddress, FUNDS)
  const payTo = `0x${randomBytes(20).toString('hex')}`
  await ada.post('/vendors', {
    host: HOSTS.weather,
    name: 'Meteora',
    category: 'data',
    x402Payees: [{ network: NETWORK, address: payTo }],
  })
  return { walletAddress, payTo }
}

async function connectCards(
  ada: Caller,
  agents: Readonly<Record<AgentName, DemoAgent>>,
): Promise<DemoRecord['card']> {
  const { id: connectionId } = await ada.post('/card-connections', {
    provider: 'generic',
    name: 'Nordic Issuing',
    deadlineMs: 5_000,
  })
  const register = async (agent: 'travel' | 'ops', last4: string, label: string) => {
    const card = { connectionId, externalId: CARDS[agent], agentId: agents[agent].id }
    const { id } = await ada.post('/cards', { ...card, last4, label, currency: 'USD' })
    return id
  }
  const travelCard = await register('travel', '4242', 'Travel')
  const opsCard = await register('ops', '1881', 'Software')
  const { apiKey } = await ada.post('/api-keys', {
    name: 'Nordic Issuing, adapter',
    scopes: ['cards:write'],
  })
  return { apiKey, connectionId, travelCard, opsCard }
}
