import { Type } from 'typebox'
import { bucketsOver } from '../../counters/buckets.ts'
import { isIncrement, type Spend } from '../../spend.ts'
import { parseDuration } from '../../time/instant.ts'
import { defineCodes, sharedCodes } from '../codes.ts'
import { keyPrefix, seriesName, soFar, whenLittleEnough } from '../counter-key.ts'
import { defineRule, type SettingsOf } from '../define-rule.ts'
import { widerThanParent } from '../narrowing.ts'
import { COUNTING_NOTE, durationSetting, inspectDuration } from '../settings.ts'
import { type Counted, fail, pass } from '../verdict.ts'

const FIELDS = ['vendor', 'amount', 'category', 'reference'] as const

/** The fields in which two spends must agree to be duplicates, unless the rule names others. */
export const DUPLICATE_MATCH_DEFAULT = ['vendor', 'amount', 'reference'] as const

const settings = {
  window: durationSetting('How long a spend is remembered: 10 s to 90 days.', '10m'),
  match: Type.Optional(
    Type.Array(Type.Enum([...FIELDS], { type: 'string' }), {
      minItems: 1,
      maxItems: FIELDS.length,
      uniqueItems: true,
      description:
        'Spends that agree in all of these fields are duplicates. Default: vendor, amount, reference.',
      examples: [['vendor', 'amount']],
    }),
  ),
}

const codes = {
  ...defineCodes({
    duplicate_transaction: {
      meaning: 'The spend repeats one that was approved shortly before.',
      action:
        'Check whether the purchase was already made. To make a second one, send a different `reference` if the rule compares references, or wait until `next.retryAfter`.',
      repeat: 'later',
    },
  }),
  payee_mismatch: sharedCodes.payee_mismatch,
}

/**
 * Catches the retry that would pay twice. The window is always a rolling one: at midnight, a
 * calendar window would forget a purchase that was made a minute before.
 */
export const duplicate = defineRule({
  type: 'duplicate',
  title: 'DuplicateRule',
  summary: 'Stops a spend that repeats one approved shortly before.',
  effects: ['reject', 'require_approval', 'flag'],
  settings,
  codes,
  examples: [
    {
      says: 'Rejects a second spend of the same amount at the same vendor with the same reference within ten minutes.',
      rule: { window: '10m', match: ['vendor', 'amount', 'reference'] },
    },
  ],

  notes: [
    'A hold is remembered from its approval on. A hold that is voided or expires is forgotten; if it is settled after it expired, it is remembered again from its approval on. A refunded spend is still remembered.',
    'Incremental card authorizations are not treated as duplicates.',
    COUNTING_NOTE,
  ],
  narrower:
    '`window` must not be shorter than in a rule of a parent with the same `match`. Rules with a different `match` are not compared.',

  inspect({ window }) {
    return inspectDuration('/window', window, '10s', '90d')
  },

  judge(settings, mandate) {
    const { match = DUPLICATE_MATCH_DEFAULT, window: text } = settings
    const window = { kind: 'rolling', ms: lengthOf(settings) } as const
    const layout = bucketsOver(window, mandate.zone, mandate.budgetPeriod)
    const series = seriesName(window, 'same', matchOf(settings))
    const prefix = keyPrefix(mandate, series)
    const groupOf = grouping(match)
    const counted = (spend: Spend): Counted => ({ key: prefix + groupOf(spend), layout })
    return {
      // An increase of an approved purchase is not a duplicate.
      counters: (spend) => (isIncrement(spend) ? [] : [counted(spend)]),
      countsByAmount: match.includes('amount'),
      readsVendor: (spend) => match.includes('vendor') && !isIncrement(spend),
      series: [{ name: series, layout, needsCount: true }],
      check(situation) {
        if (isIncrement(situation.spend)) {
          return pass(null, 1, 'The spend increases a purchase that is already approved.', text)
        }
        const { count } = soFar(counted(situation.spend), situation)
        const observed = count + 1
        if (count === 0)
          return pass(observed, 1, 'No matching spend was approved shortly before.', text)
        const message = `A spend with the same ${match.join(', ')} was approved less than ${text} ago.`
        return fail(codes.duplicate_transaction, observed, 1, message, text)
      },
      passesAt: (situation) =>
        whenLittleEnough(counted(situation.spend), situation, ({ count }) => count === 0),
    }
  },

  // A rule that remembers longer is narrower. Rules that match by other fields cannot be compared.
  widerThan(child, parents) {
    return parents
      .filter((parent) => matchOf(parent) === matchOf(child))
      .filter((parent) => lengthOf(child) < lengthOf(parent))
      .map((parent) => widerThanParent('/window', `no duplicate within ${parent.window}`))
      .slice(0, 1)
  },
})

function matchOf({ match = DUPLICATE_MATCH_DEFAULT }: SettingsOf<typeof settings>): string {
  return [...match].sort().join()
}

/**
 * The reference comes last because it may hold any character. It has its own mark, because no
 * reference is not the same as an empty one.
 */
function grouping(match: readonly string[]): (spend: Spend) => string {
  const byVendor = match.includes('vendor')
  const byAmount = match.includes('amount')
  const byCategory = match.includes('category')
  const byReference = match.includes('reference')
  return ({ vendor, amount, category, reference }) => {
    const named = byReference && reference !== null ? `=${reference}` : ''
    const bought = byCategory ? (category ?? '') : ''
    return `${byVendor ? vendor : ''}/${byAmount ? amount : ''}/${bought}/${named}`
  }
}

function lengthOf({ window }: SettingsOf<typeof settings>): number {
  return parseDuration(window) ?? 0
}
