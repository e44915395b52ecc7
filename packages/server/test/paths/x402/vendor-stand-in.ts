import assert from 'node:assert/strict'
import { createOutboundClient, type OutboundResult } from '../../../src/outbound/outbound-client.ts'
import type { SellerCall } from '../../../src/paths/x402/pay-request.ts'
import { callSeller, type Delivery, toDelivery } from '../../../src/paths/x402/resource/delivery.ts'
import { type Behaviour, type Received, startReceiver } from '../../support/receiver.ts'

/** A vendor on the loopback that is called as the gateway calls vendors. */
export interface VendorStandIn {
  readonly url: string
  /** The headers and the body of the last call. */
  readonly last: Received
  call(changes?: Partial<SellerCall>, payment?: PaymentHeader): Promise<OutboundResult>
  /** What the agent is given when the vendor does this. */
  deliveryOf(behaviour: Behaviour, changes?: Partial<SellerCall>): Promise<Delivery>
  /** The resource when the vendor answers with these bytes. */
  resourceOf(
    body: string | Buffer,
    headers?: Readonly<Record<string, string>>,
  ): Promise<NonNullable<Delivery['resource']>>
  stop(): Promise<void>
}

type PaymentHeader = NonNullable<Parameters<typeof callSeller>[3]>

export const GET: SellerCall = { method: 'GET', headers: {}, body: undefined, timeoutMs: 60_000 }

export async function startVendorStandIn(): Promise<VendorStandIn> {
  const receiver = await startReceiver()
  const outbound = createOutboundClient({ allowLoopback: true, allowedNetworks: [] })

  const call: VendorStandIn['call'] = (changes, payment) =>
    callSeller(outbound, receiver.url, { ...GET, ...changes }, payment)

  const deliveryOf: VendorStandIn['deliveryOf'] = async (behaviour, changes) => {
    receiver.behave(behaviour)
    return toDelivery(await call(changes))
  }

  return {
    url: receiver.url,
    get last() {
      const last = receiver.received.at(-1)
      assert(last, 'the vendor was called')
      return last
    },
    call,
    deliveryOf,
    async resourceOf(body, headers = {}) {
      const { resource } = await deliveryOf((response) =>
        response.writeHead(200, headers).end(body),
      )
      assert(resource, 'something was delivered')
      return resource
    },
    async stop() {
      await outbound.close()
      await receiver.close()
    },
  }
}
