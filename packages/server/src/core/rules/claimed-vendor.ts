import type { KnownPayee } from '../spend.ts'
import { sharedCodes } from './codes.ts'
import { fail, type Judge, type Situation } from './verdict.ts'

/**
 * Whoever is paid could have told the agent at which vendor it is. So where only the agent says who
 * is paid, a rule that reads the vendor lets nothing through: not by an allow list, and not because
 * the count, the price or the history of another vendor is the better one. What the rule has against
 * the spend anyway is said first.
 *
 * This is the one place for that: a rule only says when its verdict depends on the vendor.
 */
export function doubtingClaims(judge: Judge): Judge {
  const { readsVendor } = judge
  if (!readsVendor) return judge
  return {
    ...judge,
    check(situation) {
      const verdict = judge.check(situation)
      const claimed = verdict.code === null && claimedPayee(situation)
      if (!claimed || !readsVendor(situation.spend)) return verdict
      const message = `Only the agent says that ${claimed.address} is the address of ${situation.spend.vendor}. Check it with the vendor and add it to the vendor directory, or let the gateway ask the vendor.`
      return fail(sharedCodes.payee_mismatch, claimed.address, null, message)
    },
  }
}

function claimedPayee({ spend: { payee } }: Situation): KnownPayee | undefined {
  return payee?.assurance === 'agent_claimed' ? payee : undefined
}
