import { toFacilitatorEvmSigner } from '@x402/evm'
import type { Abi, LocalAccount } from 'viem'
import { createClient, waitForReceipt } from './chain.ts'
import { createTurns } from './turns.ts'

/**
 * The wallet that the SDK expects of a facilitator, built with viem. The SDK's types are looser
 * than viem's: the SDK requires an ABI and typed data only in its documentation, but viem in its
 * types.
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
