import { readFileSync } from 'node:fs'
import { type Address, type Hex, parseAbi } from 'viem'

/**
 * The address of USDC on Base Sepolia. The test token has the same address, so the SDK's own tables
 * match it.
 */
export const USDC: Address = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'

/** Without it the facilitator can detect that a payment would fail, but not why. */
const MULTICALL: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** The name and version that USDC signs under on Base Sepolia. The test token uses the same. */
export const USDC_DOMAIN = { name: 'USDC', version: '2' } as const

export const usdcAbi = parseAbi([
  'function mint(address to, uint256 value)',
  'function balanceOf(address owner) view returns (uint256)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

/** The contracts of the test chain, compiled from lab-contracts.sol, and the address of each. */
export function readLabContracts(): readonly { readonly address: Address; readonly code: Hex }[] {
  const file = new URL('./lab-contracts.json', import.meta.url)
  const codes: Readonly<Record<'LabUSDC' | 'LabMulticall', Hex>> = JSON.parse(
    readFileSync(file, 'utf8'),
  )
  return [
    { address: USDC, code: codes.LabUSDC },
    { address: MULTICALL, code: codes.LabMulticall },
  ]
}
