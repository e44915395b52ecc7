import type { ListedTransaction, PathName, SimulationInput } from '@purser/sdk'
import { exampleVendor } from '../../../../parts/example-vendors.ts'
import { moneyValue } from '../../../../ui/money-text.ts'
import { fromLocalText } from '../../../../words/zoned-time.ts'
import type { MandateForm, ReadForm } from '../form/mandate-form.ts'
import { PATHS } from '../form/rule-form.ts'
import type { Source } from '../source.ts'

/** The spend that the tester tries. */
export interface TestSpend {
  readonly amount: string
  readonly vendor: string
  readonly category: string
  readonly path: PathName
  /** A local date and time in the mandate's time zone; empty for now. */
  readonly at: string
}

/** Reads `test=297,sas.se,travel,card,2026-11-18T09:00` of the address. */
export function parseTest(text: string | undefined): TestSpend | undefined {
  if (!text) return undefined
  const [amount = '', vendor = '', category = '', path = '', at = ''] = text.split(',')
  return { amount, vendor, category, path: PATHS.find((one) => one === path) ?? 'evaluate', at }
}

/** The spend as it stands in the address. Trailing values that say nothing are left out. */
export function testText({ amount, vendor, category, path, at }: TestSpend): string {
  const values = [amount.replaceAll(',', ''), vendor, category]
  if (path !== 'evaluate' || at !== '') values.push(path)
  if (at !== '') values.push(at)
  return values.join(',')
}

/** Where the agent spent last. */
export type LastSpend = Pick<ListedTransaction, 'vendor' | 'category'>

/**
 * A spend to begin with: where the agent spent last, if the rules allow that category, else one that
 * the rules speak about.
 */
export function firstTest({ rules }: MandateForm, last?: LastSpend): TestSpend {
  const allowed = (type: string) => rules.find((one) => one.type === type)?.lists['allow'] ?? []
  const max = rules.find(({ type }) => type === 'amount')?.texts['max']
  const categories = allowed('categories')
  const isFitting = categories.length === 0 || categories.includes(last?.category ?? '')
  const category = (isFitting ? last?.category : undefined) ?? categories[0] ?? 'llm'
  const [host = exampleVendor(category)] = allowed('vendors')
  return {
    amount: max || '10.00',
    vendor: (isFitting ? last?.vendor : undefined) ?? host.replace(/^\*\./, 'www.'),
    category,
    path: 'evaluate',
    at: '',
  }
}

interface Subject {
  readonly source: Source
  readonly form: MandateForm
  readonly input: ReadForm['input']
}

/** The request for the verdict of the form. Null while the form or the spend cannot be read. */
export function draftTest(
  test: TestSpend,
  { source, form, input }: Subject,
): SimulationInput | null {
  const spend = spendOf(test, form.timezone)
  if (!spend || !input || form.agentId === '') return null
  const { rules, budgetTotal, budgetPeriod, currency } = input
  if (source.kind === 'next') return { ...spend, mandateId: source.base.id, rules, budgetTotal }
  if (source.kind === 'draft') {
    return { ...spend, mandateId: source.draft.id, rules, budgetTotal, budgetPeriod }
  }
  return { ...spend, agentId: form.agentId, rules, budgetTotal, budgetPeriod, currency }
}

/** The request for the verdict of the active version. Null if nothing is active. */
export function activeTest(test: TestSpend, source: Source, zone: string): SimulationInput | null {
  const spend = spendOf(test, zone)
  return spend && source.kind === 'next' ? { ...spend, agentId: source.base.agentId } : null
}

function spendOf({ amount, vendor, category, path, at }: TestSpend, timezone: string) {
  const value = moneyValue(amount)
  if (value === null || Number(value) === 0 || vendor.trim() === '' || category.trim() === '') {
    return null
  }
  const time = fromLocalText(at, timezone)
  return {
    amount: Number(value),
    vendor: vendor.trim(),
    category: category.trim(),
    ...(path === 'evaluate' ? {} : { path }),
    ...(time ? { at: time.toISOString() } : {}),
  }
}
