import { sharedCodes } from './codes.ts'
import { fail, type Judge, type Situation, type Verdict } from './verdict.ts'

/**
 * Whoever is paid could have told the agent at which vendor it is. So where only the agent says who
 * is paid, a rule that reads the vendor lets nothing through: not by an allow list, and not because
 * the count, the price or the history of another vendor is the better one. What the rule has against
 * the spend anyway is said first.
 *
 * This is the one place for that: a rule only says when its verdict depends on the vendor.
 */
export function doubtClaim(judge: Judge, { spend }: Situation, verdict: Verdict): Verdict {
  const { payee, vendor } = spend
  if (payee?.assurance !== 'agent_claimed' || verdict.code !== null) return verdict
  if (!judge.readsVendor?.(spend)) return verdict
  const message = `Only the agent says that ${payee.address} is the address of ${vendor}. Check it with the vendor and add it to the vendor directory, or let the gateway ask the vendor.`
  return fail(sharedCodes.payee_mismatch, payee.address, null, message)
}
