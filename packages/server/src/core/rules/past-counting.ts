import { MICROS_MAX } from '../money.ts'
import { defineCodes } from './codes.ts'
import { pastKey } from './counter-key.ts'
import { fail, type Judge, type JudgedMandate, type Origin, type Situation } from './verdict.ts'

export const pastCodes = defineCodes({
  past_being_counted: {
    meaning:
      'A rule was added to the mandate, and what was spent before is still being counted. Until that is done, the rule fails for every spend that it would count.',
    action: 'Try again after some seconds. The more was spent before, the longer it takes.',
    repeat: 'later',
  },
  vendor_history_incomplete: {
    meaning:
      'A rule about vendors has come to govern the agent, and not everything is known yet that the agent paid before. Until then, the rule fails for every vendor that is not known to it.',
    action:
      'Try again after some seconds, or spend at a vendor that the agent has paid lately. The more the agent has spent before, the longer it takes.',
    repeat: 'later',
  },
})

/** The keys of the marks that say whether the past of a rule's counters is still being counted. */
export function marksOf(judge: Judge, mandate: JudgedMandate): string[] {
  return [
    ...new Set(lateOrigins(judge, mandate).map((origin) => pastKey(mandate.mandateId, origin))),
  ]
}

/**
 * A counter that does not know all of its past yet would let through what the limit forbids. So a
 * rule fails as long as the mark is there, for every spend that it counts.
 */
export function strictUntilCounted(judge: Judge, mandate: JudgedMandate): Judge {
  if (lateOrigins(judge, mandate).length === 0) return judge
  const marks = marksOf(judge, mandate)
  const isBeingCounted = ({ spend, usage }: Situation): boolean => {
    const mark = marks.filter((key) => usage.counter(key))
    const keys = mark.length === 0 ? [] : (judge.counters?.(spend) ?? [])
    return keys.some(({ key }) => mark.some((past) => key.startsWith(`${past}/`)))
  }
  return {
    ...judge,
    check(situation) {
      if (!isBeingCounted(situation)) return judge.check(situation)
      return fail(pastCodes.past_being_counted, null, null, MESSAGE)
    },
    amountMax(situation) {
      if (isBeingCounted(situation)) return 0n
      return judge.amountMax ? judge.amountMax(situation) : MICROS_MAX
    },
    passesAt: (situation, failed) =>
      isBeingCounted(situation) ? undefined : judge.passesAt?.(situation, failed),
  }
}

/**
 * A vendor that is not known yet would count as one without an earlier price, or as one that was never
 * paid. A vendor that is known is judged as ever.
 */
export function strictUntilLearned(judge: Judge): Judge {
  if (!judge.needsVendorHistory) return judge
  return {
    ...judge,
    check(situation) {
      const { spend, usage } = situation
      if (usage.vendor || !usage.vendorsIncomplete) return judge.check(situation)
      if (!judge.readsVendor?.(spend)) return judge.check(situation)
      const message = `Not everything is known yet that the agent paid before, so ${spend.vendor} may be among it. Until then the rule lets through only vendors that it knows.`
      return fail(pastCodes.vendor_history_incomplete, null, null, message)
    },
  }
}

const MESSAGE =
  'The rule is new, and what was spent before is still being counted. Until then nothing passes it.'

function lateOrigins({ series = [] }: Judge, { origins }: JudgedMandate): Origin[] {
  return series.flatMap(({ name }) => origins[name] ?? []).filter(({ isLate }) => isLate)
}
