import type { ToolResult } from '@purser/sdk/tools'

/** The fields of the result of get_mandate that the text uses. */
interface MandateResult extends ToolResult {
  readonly mandateId: string | null
  readonly name?: string | null
  readonly currency?: string
  readonly validUntil?: string | null
  readonly rules?: readonly { readonly id: string; readonly words: string }[]
  readonly budget?: {
    readonly total: number
    readonly spent: number
    readonly held: number
    readonly remaining: number
    readonly resets: string | null
  }
}

/** The mandate as a short page. */
export function mandateWords(result: ToolResult): string {
  const { mandateId, name, currency, validUntil, rules, budget, summary } = result as MandateResult
  if (mandateId === null || !rules || !budget) return `# No mandate\n\n${summary}\n`
  return [
    `# ${name ?? 'Your mandate'}`,
    '',
    summary,
    '',
    `- Budget: ${budget.total} ${currency}; ${budget.spent} spent, ${budget.held} held, ${budget.remaining} left.`,
    budget.resets ? `- The budget resets at ${budget.resets}.` : '- The budget does not reset.',
    ...(validUntil ? [`- The mandate ends at ${validUntil}.`] : []),
    '',
    '## Rules',
    '',
    ...(rules.length === 0 ? ['There are no rules besides the budget.'] : []),
    ...rules.map(({ id, words }) => `- \`${id}\`: ${words}`),
    '',
  ].join('\n')
}
