import { expect, test } from 'vitest'
import { refuse, sent } from '../../support/acp/idempotency.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { letLook } from './let-look.ts'
import { openShop } from './shop.ts'

const PAST_END_MS = 26 * 60_000
/** More often than anybody asks. */
const ALWAYS = 10_000

/* The shop charges the token, loses its answer, and refuses the repeat of the request. */
test.each([
  ['401', refuse(401, 'unauthorized')],
  ['402', refuse(402, 'payment_declined')],
  ['422', sent(422, {})],
  ['429', refuse(429, 'rate_limited')],
])(
  'a repeat that is refused with %s proves nothing of the first request',
  async (_what, answer) => {
    const shop = await openShop({ issuer: 'delegate_payment' })
    const session = shop.merchant.openCheckout()
    shop.merchant.turnNext(session, 'charge_only')
    shop.merchant.failNext('complete', 'then_503')
    shop.merchant.failNext('complete', { answer }, ALWAYS)
    shop.merchant.failNext('cancel', '503', ALWAYS)
    // The request goes on looking until its time is over, or the gateway stops.
    shop.buy(session).catch(() => {})
    const states = () => shop.app.rows<{ state: string }>('select state from acp_checkouts')
    await waitUntil(async () => ['unknown', 'closing'].includes((await states())[0]?.state ?? ''))
    await letLook(shop, PAST_END_MS)
    expect(await shop.budget()).toEqual([45, 45, 55])
  },
)
