import { Type } from 'typebox'
import { defineRule, type SettingsOf } from '../rule.ts'
import { widerThanParent } from '../rule-narrowing.ts'
import { durationSetting, inspectDuration } from '../rule-setting.ts'
import { parseDuration } from '../time.ts'

const FIELDS = ['vendor', 'amount', 'category', 'reference'] as const

/** What two spends have in common when they are the same purchase, unless a rule says otherwise. */
export const DUPLICATE_MATCH_DEFAULT = ['vendor', 'amount', 'reference'] as const

const settings = {
  window: durationSetting('How long a spend is remembered: 10 s to 90 days.', '10m'),
  match: Type.Optional(
    Type.Array(Type.Enum([...FIELDS], { type: 'string' }), {
      minItems: 1,
      maxItems: FIELDS.length,
      uniqueItems: true,
      description:
        'Spends that agree in all of these are the same. By default: vendor, amount, reference.',
      examples: [['vendor', 'amount']],
    }),
  ),
}

/**
 * Catches the retry that would pay twice. The window is a rolling one only: a calendar window would
 * forget a purchase at midnight that was made a minute before.
 */
export const duplicate = defineRule({
  type: 'duplicate',
  title: 'DuplicateRule',
  summary: 'Stops a spend that repeats one approved shortly before.',
  effects: ['reject', 'require_approval', 'flag'],
  settings,

  inspect({ window }) {
    return inspectDuration('/window', window, '10s', '90d')
  },

  // A longer memory is the narrower rule. Rules that match by other fields cannot be compared.
  widerThan(child, parents) {
    return parents
      .filter((parent) => matchOf(parent) === matchOf(child))
      .filter((parent) => lengthOf(child) < lengthOf(parent))
      .map((parent) => widerThanParent('/window', `no repetition within ${parent.window}`))
      .slice(0, 1)
  },
})

function matchOf({ match = DUPLICATE_MATCH_DEFAULT }: SettingsOf<typeof settings>): string {
  return [...match].sort().join()
}

function lengthOf({ window }: SettingsOf<typeof settings>): number {
  return parseDuration(window) ?? 0
}
