import type { Rule } from '../generated/types/index.ts'

/** Says in a sentence what a rule asks of a spend, for a model. */
export function ruleWords(rule: Rule): string {
  return `${demandOf(rule)} ${EFFECTS[rule.effect] ?? ''}`.trim()
}

const EFFECTS: Readonly<Record<string, string>> = {
  reject: 'Otherwise the spend is rejected.',
  require_approval: 'Otherwise a person must approve the spend.',
  flag: 'Otherwise the spend is only flagged.',
}

function demandOf(rule: Rule): string {
  switch (rule.type) {
    case 'paths':
      return `The payment path must be one of: ${rule.allow.join(', ')}.`
    case 'vendors':
      return `${listed('vendor', rule)}`
    case 'categories':
      return `${listed('category', rule)}`
    case 'amount':
      return `The amount of one purchase must be ${range(rule.min, rule.max)}.`
    case 'schedule':
      return `The time must be in one of these windows (${rule.timezone ?? "the mandate's time zone"}): ${rule.windows.map(({ days, from, to }) => `${days?.join(', ') ?? 'every day'} ${from} to ${to}`).join('; ')}.`
    case 'limit':
      return limitWords(rule)
    case 'duplicate':
      return `The spend must not repeat one of the last ${rule.window} (same ${(rule.match ?? ['vendor', 'amount', 'reference']).join(', ')}).`
    case 'new_vendor':
      return 'The agent must have paid the vendor before.'
    case 'price_drift':
      return `The amount must be at most ${rule.maxIncreasePercent} % above the last price at the vendor.`
    case 'expression':
      return `This expression must be true: ${rule.expr}`
    case 'approval':
      return rule.above === undefined
        ? 'Every spend needs the approval of a person.'
        : `The amount must be at most ${rule.above}.`
  }
}

function listed(
  what: string,
  {
    allow,
    block,
  }: {
    readonly allow?: readonly string[] | undefined
    readonly block?: readonly string[] | undefined
  },
): string {
  return [
    ...(allow ? [`The ${what} must be one of: ${allow.join(', ')}.`] : []),
    ...(block ? [`The ${what} must not be one of: ${block.join(', ')}.`] : []),
  ].join(' ')
}

function range(min: number | undefined, max: number | undefined): string {
  if (min === undefined) return `at most ${max}`
  return max === undefined ? `at least ${min}` : `from ${min} to ${max}`
}

function limitWords(rule: Rule & { type: 'limit' }): string {
  const { maxCount, maxAmount, window, groupBy, match } = rule
  const most = [
    ...(maxCount === undefined ? [] : [`${maxCount} spends`]),
    ...(maxAmount === undefined ? [] : [`${maxAmount} in total`]),
  ].join(' and ')
  const which = match
    ? ` with ${Object.entries(match)
        .map(([name, value]) => `${name} ${value}`)
        .join(', ')}`
    : ''
  return `At most ${most} per ${window}${groupBy ? ` and ${groupBy}` : ''}${which}.`
}
