import { mccOf, type Spend } from '../spend.ts'
import { sharedCodes } from './codes.ts'
import { fail, type Judge, pass } from './verdict.ts'

/** The name of this check in findings. No rule of a mandate may have this name. */
export const HIGH_RISK_ID = 'high_risk'

/**
 * Every mandate has this check for cards. Money that is spent on cash, bets and the like can hardly
 * be recovered, so such a purchase passes only if a rule of the mandate allows exactly its category
 * or code. A mandate without a rule about categories allows none: it was not written for this.
 */
export function judgeHighRisk(allowed: ReadonlySet<string>): Judge {
  return {
    check({ spend }) {
      const names = namesOf(spend)
      const named = names.find((name) => allowed.has(name))
      if (named !== undefined) {
        return pass(named, null, 'A rule explicitly allows this kind of merchant.')
      }
      const message = `Card spends on ${names[0] ?? 'this'} are blocked unless a rule of the mandate allows ${names.join(' or ')}.`
      return fail(sharedCodes.category_blocked, names[0] ?? null, null, message)
    },
  }
}

function namesOf(spend: Spend): readonly string[] {
  return [spend.card?.highRisk, mccOf(spend)].filter((name) => typeof name === 'string')
}
