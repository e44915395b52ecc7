import { toUnits } from '../../../core/money.ts'
import { toIso } from '../../../core/time/instant.ts'
import type { Statement } from '../../../storage/engine/database.ts'
import { plainArray } from '../../../storage/engine/wire-array.ts'
import type { ForeignFact } from '../ledger/facts.ts'

/** Bounds the entries in a transaction's record. */
const FOREIGN_SHOWN = 10

/** Adds money in other currencies, as the issuer reported it, to each transaction of its purchase. */
export function noteForeign(
  organizationId: string,
  transactionIds: readonly string[],
  foreign: readonly ForeignFact[],
): Statement {
  const otherCurrency = foreign.slice(0, FOREIGN_SHOWN).map((money) => ({
    id: money.moneyId,
    what: money.of,
    amount: toUnits(money.amount),
    currency: money.currency,
    at: toIso(money.at),
  }))
  return {
    name: 'note-money-in-other-currency',
    text: `update transactions set external = coalesce(external, '{}') || $3::jsonb
           where organization_id = $1 and id = any($2::uuid[])`,
    values: [organizationId, plainArray(transactionIds), JSON.stringify({ otherCurrency })],
  }
}
