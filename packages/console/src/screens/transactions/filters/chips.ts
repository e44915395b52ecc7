import { formatAmount } from '../../../words/money.ts'
import { shortId } from '../../../words/text.ts'
import { codeWord, PATH_WORDS, STATUS_WORDS } from '../../../words/words.ts'
import { type TransactionSearch, valuesOf } from './filters.ts'
import { periodWords } from './period.ts'

/** A filter of the bar. Some set two parameters, such as the two ends of a period. */
export interface ChipKind {
  readonly id: string
  readonly label: string
  readonly parameters: readonly string[]
  /** Shown while it is off. The others are behind “Filter”. */
  readonly isUsual: boolean
}

export const CHIPS: readonly ChipKind[] = [
  { id: 'period', label: 'Time', parameters: ['from', 'to'], isUsual: true },
  { id: 'agent', label: 'Agent', parameters: ['agent'], isUsual: true },
  { id: 'path', label: 'Path', parameters: ['path'], isUsual: true },
  { id: 'code', label: 'Reason', parameters: ['code'], isUsual: true },
  { id: 'amount', label: 'Amount', parameters: ['min', 'max'], isUsual: true },
  { id: 'vendor', label: 'Vendor', parameters: ['vendor'], isUsual: false },
  { id: 'category', label: 'Category', parameters: ['category'], isUsual: false },
  { id: 'status', label: 'Status', parameters: ['status'], isUsual: false },
  { id: 'decision', label: 'Decision', parameters: ['decision'], isUsual: false },
  { id: 'flagged', label: 'Flagged', parameters: ['flagged'], isUsual: false },
  { id: 'mandate', label: 'Mandate', parameters: ['mandate'], isUsual: false },
  { id: 'rule', label: 'Rule', parameters: ['rule'], isUsual: false },
  { id: 'approval', label: 'Approval', parameters: ['approval'], isUsual: false },
  { id: 'card', label: 'Card', parameters: ['card'], isUsual: false },
]

/** The names of objects, by id. */
export interface ChipNames {
  readonly agents: ReadonlyMap<string, string>
  readonly mandates: ReadonlyMap<string, string>
  readonly timezone: string
  readonly now: Date
}

/** The tabs set these parameters: a tab that is chosen needs no chip beside it. */
const OF_TABS: Readonly<Record<string, string>> = {
  decision: 'rejected',
  status: 'held',
  flagged: 'true',
}

/** Whether the filter is on and not already said by the chosen tab. */
export function isChipOn({ parameters }: ChipKind, search: TransactionSearch): boolean {
  return parameters.some((name) => {
    const value = search[name]
    return value !== undefined && value !== '' && OF_TABS[name] !== value
  })
}

/** The value of a chip in words: "2 agents", "from 100.00". */
export function chipValue(chip: ChipKind, search: TransactionSearch, names: ChipNames): string {
  const { id, label } = chip
  if (id === 'period') {
    return periodWords({ from: search['from'], to: search['to'] }, names.timezone, names.now)
  }
  if (id === 'amount') return amountWords(search['min'], search['max'])
  const values = valuesOf(search[id])
  const [first = ''] = values
  if (values.length > 1) return `${values.length} ${PLURALS[id] ?? `${label.toLowerCase()}s`}`
  return VALUES[id]?.(first, names) ?? first
}

const VALUES: Readonly<Record<string, (value: string, names: ChipNames) => string | undefined>> = {
  agent: (value, { agents }) => agents.get(value) ?? shortId(value),
  mandate: (value, { mandates }) => mandates.get(value) ?? shortId(value),
  path: (value) => PATH_WORDS[value as keyof typeof PATH_WORDS],
  code: codeWord,
  status: (value) => STATUS_WORDS[value as keyof typeof STATUS_WORDS]?.word,
  flagged: (value) => (value === 'false' ? 'no' : 'yes'),
  approval: shortId,
  card: shortId,
}

const PLURALS: Readonly<Record<string, string>> = { category: 'categories', status: 'statuses' }

function amountWords(min: string | undefined, max: string | undefined): string {
  const show = (text: string) => formatAmount(Number(text), null)
  if (min && max) return `${show(min)} to ${show(max)}`
  return min ? `from ${show(min)}` : `up to ${show(max ?? '0')}`
}
