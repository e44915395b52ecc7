import type { PathName, SimulationInput } from '@purser/sdk'
import { moneyValue } from '../../ui/money-text.ts'
import { PATH_WORDS } from '../../words/words.ts'

/** The spend as the fields hold it. Every value is a text, as in the address. */
export interface SpendFields {
  readonly agent: string
  readonly amount: string
  readonly vendor: string
  readonly category: string
  readonly path: PathName
  /** An instant (ISO 8601); empty for now. */
  readonly at: string
}

export type SimulatorSearch = Readonly<Partial<Record<keyof SpendFields | 'txn', string>>>

export const PATHS = Object.keys(PATH_WORDS) as readonly PathName[]

export function fieldsOf(search: SimulatorSearch): SpendFields {
  const { agent = '', amount = '', vendor = '', category = '', at = '' } = search
  const path = PATHS.find((one) => one === search.path) ?? 'evaluate'
  return { agent, amount, vendor, category, path, at }
}

/** The address of a spend. Values that are the default are left out. */
export function searchOf(fields: SpendFields): SimulatorSearch {
  const { path, ...rest } = fields
  const entries = Object.entries({ ...rest, ...(path === 'evaluate' ? {} : { path }) })
  return Object.fromEntries(entries.filter(([, value]) => value !== ''))
}

/** The request for the fields; undefined while one is missing or is no amount. */
export function inputOf(fields: SpendFields): SimulationInput | undefined {
  const { agent, path } = fields
  const amount = moneyValue(fields.amount)
  const [vendor, category] = [fields.vendor.trim(), fields.category.trim()]
  if (agent === '' || amount === null || Number(amount) === 0 || !vendor || !category) {
    return undefined
  }
  const at = new Date(fields.at)
  return {
    ...{ agentId: agent, amount: Number(amount), vendor, category },
    ...(path === 'evaluate' ? {} : { path }),
    ...(Number.isNaN(at.getTime()) ? {} : { at: at.toISOString() }),
  }
}

/** Names the missing fields, as a sentence: "Enter an amount and a vendor." */
export function missingWords(fields: SpendFields): string {
  const missing = [
    ...(fields.agent === '' ? ['an agent'] : []),
    ...(Number(moneyValue(fields.amount) ?? 0) === 0 ? ['an amount'] : []),
    ...(fields.vendor.trim() === '' ? ['a vendor'] : []),
    ...(fields.category.trim() === '' ? ['a category'] : []),
  ]
  const last = missing.pop()
  if (last === undefined) return ''
  return missing.length === 0 ? `Enter ${last}.` : `Enter ${missing.join(', ')} and ${last}.`
}
