import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { type LoopbackServer, readBody, startLoopbackServer } from './loopback-server.ts'

/**
 * The parts of EDR, the virtual machine of Hardhat, that we use. We load the bare library for one
 * platform, because the package that chooses among the platforms brings 220 MB of them. The types
 * are in that package, so they are repeated here.
 */
export interface Edr {
  readonly EdrContext: new () => EdrContext
  readonly ContractDecoder: new () => object
  readonly L1_CHAIN_TYPE: string
  l1ProviderFactory(): object
  l1GenesisState(hardfork: number): readonly object[]
  l1HardforkFromString(name: string): number
}

interface EdrContext {
  registerProviderFactory(chainType: string, factory: object): Promise<void>
  createProvider(
    chainType: string,
    settings: object,
    log: object,
    subscriptions: object,
    decoder: object,
  ): Promise<EdrProvider>
}

interface EdrProvider {
  /** Takes and returns JSON-RPC, except that the answer has neither version nor id. */
  handleRequest(request: string): Promise<{ readonly data: string | RpcOutcome }>
}

interface RpcRequest {
  readonly id?: unknown
  readonly method: string
  readonly params?: readonly unknown[]
}

type RpcOutcome = { readonly result: unknown } | { readonly error: unknown }

const require = createRequire(import.meta.url)

const HARDFORK = 'Prague'
const BLOCK_GAS_MAX = 30_000_000n

/** Undefined if the library does not exist for this platform, or does not load. */
export function loadEdr(): Edr | undefined {
  if (process.platform !== 'linux' || process.arch !== 'arm64') return undefined
  try {
    return require('@nomicfoundation/edr-linux-arm64-gnu')
  } catch {
    return undefined
  }
}

/** A chain inside this process, reached over HTTP like any other. */
export async function startEdr(edr: Edr, chainId: number): Promise<LoopbackServer> {
  const provider = await createProvider(edr, BigInt(chainId))
  let isAutomining = true

  async function ask({ method, params = [] }: Omit<RpcRequest, 'id'>): Promise<RpcOutcome> {
    const question = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const { data } = await provider.handleRequest(question)
    // A very large answer is an object, because it would not fit into a string.
    return typeof data === 'string' ? JSON.parse(data) : data
  }

  /**
   * With automining, EDR refuses a transaction that overtook the one before it. A public chain lets
   * such a transaction wait for its turn, and so does EDR without automining.
   */
  async function act({ method, params = [] }: RpcRequest): Promise<RpcOutcome> {
    if (method === 'evm_setAutomine') {
      isAutomining = params[0] === true
      return { result: true }
    }
    const outcome = await ask({ method, params })
    if (method === 'eth_sendRawTransaction' && isAutomining) await ask({ method: 'evm_mine' })
    return outcome
  }

  async function answer(request: RpcRequest): Promise<object> {
    return { jsonrpc: '2.0', id: request.id ?? null, ...(await act(request)) }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked: RpcRequest | readonly RpcRequest[] = JSON.parse(await readBody(request))
    const answers = await (isBatch(asked) ? Promise.all(asked.map(answer)) : answer(asked))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers))
  }

  return startLoopbackServer((request, response) => {
    serve(request, response).catch((error: Error) => response.writeHead(500).end(error.message))
  })
}

/** A process may have only one context, however many chains it has. */
let context: EdrContext | undefined

async function createProvider(edr: Edr, chainId: bigint): Promise<EdrProvider> {
  context ??= new edr.EdrContext()
  await context.registerProviderFactory(edr.L1_CHAIN_TYPE, edr.l1ProviderFactory())
  return context.createProvider(
    edr.L1_CHAIN_TYPE,
    {
      chainId,
      networkId: chainId,
      hardfork: HARDFORK,
      genesisState: edr.l1GenesisState(edr.l1HardforkFromString(HARDFORK)),
      network: { genesisBlockGasLimit: BLOCK_GAS_MAX },
      mining: { autoMine: false, memPool: { order: 'Priority' } },
      coinbase: new Uint8Array(20),
      defaultTransactionGasLimit: BLOCK_GAS_MAX,
      minGasPrice: 0n,
      ownedAccounts: [],
      precompileOverrides: [],
      observability: {},
      allowUnlimitedContractSize: false,
      // Otherwise a burst of payments would move the chain's clock seconds into the future.
      allowBlocksWithSameTimestamp: true,
      // As on a public chain, a call that reverts is an error, and a transaction that reverts is
      // mined.
      bailOnCallFailure: true,
      bailOnTransactionFailure: false,
    },
    { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => {} },
    { subscriptionCallback: () => {} },
    new edr.ContractDecoder(),
  )
}

function isBatch(asked: RpcRequest | readonly RpcRequest[]): asked is readonly RpcRequest[] {
  return Array.isArray(asked)
}
