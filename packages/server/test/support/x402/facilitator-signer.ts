import { toFacilitatorEvmSigner } from '@x402/evm'
import type { Abi, LocalAccount } from 'viem'
import { createClient, waitForReceipt } from './chain.ts'
import { createTurns } from './turns.ts'

/**
 * What the SDK wants of a facilitator's wallet, over viem. The SDK's types are looser than viem's:
 * it promises an ABI and typed data in words, where viem wants to see them.
 */
export function createFacilitatorSigner(
  chainUrl: string,
  account: LocalAccount,
  confirmationTimeoutMs: number,
): ReturnType<typeof toFacilitatorEvmSigner> {
  const client = createClient(chainUrl, account)
  const takeTurn = createTurns()
  return toFacilitatorEvmSigner(
    {
      address: account.address,
      readContract: ({ abi, ...call }) => client.readContract({ ...call, abi: abi as Abi }),
      writeContract: ({ abi, ...call }) =>
        takeTurn(() => client.writeContract({ ...call, abi: abi as Abi })),
      verifyTypedData: (signed) =>
        client.verifyTypedData(signed as Parameters<typeof client.verifyTypedData>[0]),
      sendTransaction: (transaction) => takeTurn(() => client.sendTransaction(transaction)),
      waitForTransactionReceipt: ({ hash, timeout }) => waitForReceipt(client, hash, timeout),
      getCode: (wanted) => client.getCode(wanted),
    },
    { confirmationTimeoutMs },
  )
}
