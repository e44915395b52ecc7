import type { Address } from 'viem'
import { onTestFinished } from 'vitest'
import { type Receiver, startReceiver } from '../receiver.ts'
import { createAccount } from './chain.ts'

/** A third party that holds a key, and signs the requests of a gateway. */
export interface Custodian {
  /** The fields that a wallet uses to name it. */
  readonly wallet: { readonly address: Address; readonly signerUrl: string }
  /** The nonces of its signing requests, in the order of arrival. */
  readonly nonces: readonly string[]
  /** `hang` accepts the request and never answers; `refuse` answers with an error. */
  mood: 'sign' | 'hang' | 'refuse'
}

/** Starts a custodian, which stops at the end of the test. */
export async function startCustodian(): Promise<Custodian> {
  const account = createAccount()
  const nonces: string[] = []
  const receiver: Receiver = await startReceiver((response, { body }) => {
    const { typedData } = JSON.parse(body)
    nonces.push(typedData.message.nonce)
    if (custodian.mood === 'refuse') response.writeHead(503).end()
    if (custodian.mood !== 'sign') return
    void account
      .signTypedData(typedData)
      .then((signature) => response.end(JSON.stringify({ signature })))
  })
  onTestFinished(receiver.close)
  const wallet = { address: account.address, signerUrl: receiver.url }
  const custodian: Custodian = { wallet, nonces, mood: 'sign' }
  return custodian
}
