import { waitUntil } from '../../support/wait-until.ts'
import type { Shop } from './shop.ts'

/** Lets the gateway look at the session twice more, or end the checkout, while its clock goes on. */
export async function letLook(shop: Shop, ms: number): Promise<void> {
  shop.later(ms)
  const { organizationId } = shop.acme
  const text = `select sum(checks)::int as checks from acp_checkouts
                where organization_id = $1 having bool_or(next_check_at is not null)`
  const count = async () =>
    (await shop.app.rows<{ checks: number }>(text, [organizationId]))[0]?.checks ??
    Number.POSITIVE_INFINITY
  const before = await count()
  await waitUntil(async () => {
    if (shop.app.clock.now !== undefined) shop.app.clock.now += 1_000
    return (await count()) >= before + 2
  })
}
