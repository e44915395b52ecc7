import { randomBytes } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { invalidFields, Problem } from '../../../base/errors.ts'
import { actorText } from '../../../core/actor.ts'
import { toPublicId } from '../../../core/id.ts'
import type { Instant } from '../../../core/time/instant.ts'
import { pageWithNames } from '../../../http/actor-names.ts'
import type { App } from '../../../http/app.ts'
import {
  ActorName,
  ActorsOwnName,
  Name,
  nullable,
  PagingFields,
  pageSchema,
  publicId,
  Sum,
  Timestamp,
  toPage,
  toPageRequest,
  toTimestamp,
} from '../../../http/document/schemas.ts'
import type { Write } from '../../../http/idempotency.ts'
import type { OutboundClient } from '../../../outbound/outbound-client.ts'
import type { Database } from '../../../storage/engine/database.ts'
import { newId } from '../../../storage/new-id.ts'
import type { Sealer } from '../../../storage/secrets/sealed.ts'
import type { Chains } from '../chain/chains.ts'
import type { Evm } from '../evm.ts'
import { LISTED_WALLET_EXAMPLE, NEW_WALLET_EXAMPLE } from '../examples.ts'
import type { Wallet as CoreWallet } from '../payment.ts'
import { X402_PROBLEMS } from '../problems.ts'
import { Price } from '../schemas.ts'
import { secretPurpose } from '../storage/sealed-values.ts'
import { insertWallet, listWallets } from '../storage/wallets.ts'
import type { Balances, Held } from './balances.ts'

const Balance = Type.Object(
  {
    network: Price.properties.network,
    asset: Price.properties.asset,
    symbol: Price.properties.symbol,
    balance: Type.Union([Sum, Type.Null()], {
      description:
        "The wallet's balance in units of the token. Null if the chain's node does not answer, or no node is configured for the chain.",
    }),
  },
  { title: 'WalletBalance' },
)

const Wallet = Type.Object(
  {
    id: publicId('wal', 'the wallet'),
    name: Name,
    type: Type.Enum(['local', 'remote'], {
      type: 'string',
      description:
        '`local`: the gateway stores the private key encrypted and never reveals it. `remote`: your own signing service holds the private key, and the gateway calls it for each signature.',
    }),
    address: Type.String({
      description: "The wallet's address. Fund the wallet by sending tokens here; it needs no gas.",
      examples: ['0x70997970c51812dc3a010c7d01b50e0d17dc79c8'],
    }),
    signerUrl: nullable(
      Type.String({ description: 'The URL of the signer. Null for a local wallet.' }),
    ),
    networks: Type.Array(Type.String(), {
      description: 'The chains on which this wallet can pay, as CAIP-2 ids.',
    }),
    createdAt: Timestamp,
    createdBy: ActorName,
    createdByName: ActorsOwnName,
  },
  { title: 'Wallet' },
)

const NewWallet = Type.Object(
  {
    ...Wallet.properties,
    signerSecret: Type.Union([Type.String(), Type.Null()], {
      description:
        'The secret of a remote wallet, shown only in this response. The gateway signs each request to the signer with it: the header X-Service-Signature has the HMAC-SHA256 of the body. Null for a local wallet.',
    }),
  },
  { title: 'NewWallet', examples: [NEW_WALLET_EXAMPLE] },
)

const ListedWallet = Type.Object(
  {
    ...Wallet.properties,
    balances: Type.Array(Balance, { description: 'The balance of each token.' }),
  },
  { title: 'WalletWithBalances', examples: [LISTED_WALLET_EXAMPLE] },
)

const WalletInput = Type.Object(
  {
    name: Name,
    address: Type.Optional(
      Type.String({
        pattern: '^0x[0-9a-fA-F]{40}$',
        description:
          'The address of a key that your own signer holds. Omit it to let the gateway create a key.',
      }),
    ),
    signerUrl: Type.Optional(
      Type.String({
        format: 'http-url',
        maxLength: 2_048,
        description: 'The URL of the signer for that key. Required with `address`.',
      }),
    ),
  },
  { additionalProperties: false, title: 'WalletInput', examples: [{ name: 'Payments' }] },
)

interface WalletParts {
  readonly db: Database
  readonly write: Write
  readonly sealer: Sealer
  readonly outbound: OutboundClient
  readonly chains: Chains
  readonly now: () => Instant
  loadEvm(): Promise<Evm>
}

export function walletRoutes(app: App, parts: WalletParts): void {
  const { db, write, sealer, outbound, chains, now, loadEvm } = parts
  let shared: Balances | undefined
  const openBalances = async (): Promise<Balances> => {
    const { createBalances } = await loadEvm()
    shared ??= createBalances(chains)
    return shared
  }
  app.route({
    method: 'POST',
    url: '/wallets',
    schema: {
      operationId: 'createWallet',
      summary: 'Create a wallet for x402 payments',
      tags: ['Wallets'],
      body: WalletInput,
      response: { 200: NewWallet },
    },
    config: {
      scope: 'wallets:write',
      sensitive: true,
      problems: [X402_PROBLEMS.wallet_address_taken],
    },
    handler: async (request, reply) => {
      const { organizationId, principal, body } = request
      const remote = readRemote(body)
      // Check the URL before the transaction, which must not wait for a name server, but throw
      // inside it: a retry with the same Idempotency-Key gets the same answer, even if the name
      // resolves differently by then.
      const refusal = await findRefusal(outbound, remote?.signerUrl)
      const { makeKey } = await loadEvm()
      return write(request, reply, async (tx, record) => {
        if (refusal) throw refusal
        const made = { name: body.name, createdAt: now(), createdBy: actorText(principal) }
        const { wallet, secret } = create(made, remote ?? makeKey())
        const sealed = sealer.seal(organizationId, secretPurpose(wallet), secret)
        if (!(await insertWallet(tx, organizationId, wallet, sealed))) throw addressTaken()
        const signerSecret = wallet.kind === 'remote' ? secret : null
        const after = toWalletShape(wallet, chains)
        const { createdAt: at } = wallet
        record({ operation: 'wallet.created', subjectId: after.id, at, before: null, after })
        return { ...after, signerSecret }
      })
    },
  })

  app.route({
    method: 'GET',
    url: '/wallets',
    schema: {
      operationId: 'listWallets',
      summary: 'List wallets with addresses, networks and balances, newest first',
      tags: ['Wallets'],
      querystring: Type.Object(PagingFields, { additionalProperties: false }),
      response: { 200: pageSchema(ListedWallet, 'WalletList') },
    },
    config: { scope: 'wallets:read' },
    handler: async (request) => {
      const { organizationId, query } = request
      const page = await listWallets(db, organizationId, toPageRequest(query))
      const balances = await openBalances()
      const heldBy = await balances.of(page.rows.map(({ address }) => address))
      const shown = toPage(page, (wallet) => ({
        ...toWalletShape(wallet, chains),
        balances: heldBy(wallet.address).map(toBalance),
      }))
      return pageWithNames(db, request, 'createdBy', shown)
    },
  })
}

function addressTaken(): Problem {
  return new Problem(
    X402_PROBLEMS.wallet_address_taken,
    'The organization already has a wallet with this address. Use that one.',
  )
}

interface Remote {
  readonly address: string
  readonly signerUrl: string
}

type LocalKey = ReturnType<Evm['makeKey']>

function readRemote({ address, signerUrl }: Static<typeof WalletInput>): Remote | undefined {
  if (address !== undefined && signerUrl !== undefined) return { address, signerUrl }
  if (address === undefined && signerUrl === undefined) return undefined
  const [given, missing] =
    address === undefined ? ['signerUrl', 'address'] : ['address', 'signerUrl']
  const message = `must be sent together with ${missing}`
  throw invalidFields([{ path: `/${given}`, code: 'incomplete', message }])
}

/**
 * Creates a wallet and its secret: the private key, or for a remote wallet the HMAC key of requests
 * to its signer.
 */
function create(
  made: Pick<CoreWallet, 'name' | 'createdAt' | 'createdBy'>,
  key: Remote | LocalKey,
): { wallet: CoreWallet; secret: string } {
  const isLocal = 'secret' in key
  const wallet: CoreWallet = {
    ...made,
    id: newId(made.createdAt),
    address: key.address.toLowerCase(),
    kind: isLocal ? 'local' : 'remote',
    signerUrl: isLocal ? null : key.signerUrl,
  }
  return { wallet, secret: isLocal ? key.secret : `wss_${randomBytes(32).toString('base64url')}` }
}

function toBalance({ asset, atomic }: Held): Static<typeof Balance> {
  const { network, address, symbol, decimals } = asset
  const balance = atomic === undefined ? null : Number(atomic) / 10 ** decimals
  return { network, asset: address, symbol, balance }
}

/**
 * Checks the signer's URL. Every signature checks it again, because a name may resolve differently
 * later.
 */
async function findRefusal(
  outbound: OutboundClient,
  url: string | undefined,
): Promise<Problem | undefined> {
  const refusal = url === undefined ? undefined : await outbound.refusalOf(url)
  if (refusal === undefined) return undefined
  return invalidFields([{ path: '/signerUrl', code: refusal.reason, message: refusal.text }])
}

function toWalletShape(wallet: CoreWallet, { networks }: Chains): Static<typeof Wallet> {
  const { id, name, kind, address, signerUrl, createdAt, createdBy } = wallet
  return {
    id: toPublicId('wal', id),
    name,
    type: kind,
    address,
    signerUrl,
    networks: [...networks],
    createdAt: toTimestamp(createdAt),
    createdBy,
  }
}
