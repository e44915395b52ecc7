import type { LocalAccount } from 'viem'
import { type Chain, createAccount, startChain } from './chain.ts'
import { type Facilitator, startFacilitator } from './facilitator.ts'
import { startVendor, type Vendor, type VendorSettings } from './vendor.ts'

/**
 * A chain, its facilitator and an honest vendor that uses it: everything that an x402 payment
 * needs.
 */
export interface Bench {
  readonly chain: Chain
  readonly facilitator: Facilitator
  readonly vendor: Vendor
  /** A fresh wallet with this many atomic units of USDC and without ether. */
  createPayer(atomic?: bigint): Promise<LocalAccount>
  stop(): Promise<void>
}

export interface BenchSettings extends Pick<VendorSettings, 'facilitatorTimeoutMs'> {
  readonly confirmationTimeoutMs?: number
}

const ONE_DOLLAR = 1_000_000n

/**
 * It starts quickly enough for every test. Tests that move the chain's clock need their own:
 * signers use the clock of this machine, and their authorizations would be expired from the start.
 */
export async function startBench(settings: BenchSettings = {}): Promise<Bench> {
  const chain = await startChain()
  const facilitator = await startFacilitator(chain, settings)
  const vendor = await startVendor({ ...settings, facilitator })
  return {
    chain,
    facilitator,
    vendor,
    createPayer: async (atomic = ONE_DOLLAR) => {
      const payer = createAccount()
      await chain.mint(payer.address, atomic)
      return payer
    },
    stop: async () => {
      await vendor.stop()
      await facilitator.stop()
      await chain.stop()
    },
  }
}
