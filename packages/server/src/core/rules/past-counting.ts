import { MICROS_MAX } from '../money.ts'
import { defineCodes } from './codes.ts'
import { pastKey } from './counter-key.ts'
import { fail, type Judge, type JudgedMandate, type Origin, type Situation } from './verdict.ts'

export const pastCodes = defineCodes({
  past_being_counted: {
    meaning:
      'A rule was added to the mandate, and the gateway is still counting earlier spends. Until it has counted them, the rule fails for every spend that it counts.',
    action: 'Retry after a few seconds. The more earlier spends there are, the longer it takes.',
    repeat: 'later',
  },
  vendor_history_incomplete: {
    meaning:
      'A rule about vendors was added for the agent, and the gateway is still reading the earlier payments of the agent. Until it has read them, the rule fails for every vendor that it does not know.',
    action:
      'Retry after a few seconds, or spend at a vendor that the agent paid recently. The more earlier payments the agent has, the longer it takes.',
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
 * A counter that does not include all earlier spends yet would let spends pass that the limit
 * forbids. So the rule fails for every spend that it counts, as long as the mark exists (ADR 22).
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
 * While the history is incomplete, an unknown vendor would count as one that was never paid and has
 * no earlier price. So the rule fails for it. A known vendor is judged as usual.
 */
export function strictUntilLearned(judge: Judge): Judge {
  if (!judge.needsVendorHistory) return judge
  return {
    ...judge,
    check(situation) {
      const { spend, usage } = situation
      if (usage.vendor || !usage.vendorsIncomplete) return judge.check(situation)
      if (!judge.readsVendor?.(spend)) return judge.check(situation)
      const message = `The gateway is still reading the earlier payments of the agent, and ${spend.vendor} may be among them. Until it has read them, only known vendors pass the rule.`
      return fail(pastCodes.vendor_history_incomplete, null, null, message)
    },
  }
}

const MESSAGE =
  'The rule is new, and the gateway is still counting earlier spends. Until it has counted them, the rule fails for every spend that it counts.'

function lateOrigins({ series = [] }: Judge, { origins }: JudgedMandate): Origin[] {
  return series.flatMap(({ name }) => origins[name] ?? []).filter(({ isLate }) => isLate)
}
