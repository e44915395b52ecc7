import type { ListedTransaction } from '@purser/sdk'
import { formatCount, formatMoney } from '../../words/money.ts'
import { countOf } from '../../words/text.ts'
import { verdictOf, verdictWord } from '../../words/verdict.ts'
import { codeWord } from '../../words/words.ts'

type Row = ListedTransaction

/** Whether no money went out, or all of it came back. */
export function isNotSpent({ status }: Pick<Row, 'status'>): boolean {
  return status === 'rejected' || status === 'voided' || status === 'expired'
}

/** The reason in a few words, for the column Why. An approved spend needs none. */
export function noteOf(row: Row): string {
  const { decision, code, status, flags, currency, refundedAmount, expiresAt } = row
  if (decision === 'rejected') return codeWord(code)
  if (code === 'recorded') return codeWord(code)
  if (status === 'partially_refunded') return `${formatMoney(refundedAmount, currency)} came back`
  if (status === 'held' && expiresAt === null) return 'Waits for its outcome'
  return flags.length > 0 ? 'Flagged' : ''
}

/** "1,338 in 30 days", "more than 10,000". */
export function totalWords(total: number, isExact: boolean, period: string | null): string {
  const count = isExact ? formatCount(total) : `more than ${formatCount(total)}`
  return period === null ? count : `${count} ${period}`
}

/** The name of the drawer and the title of the page: "Rejected: 297.00 USD at sas.se". */
export function nameOf(row: Row): string {
  const { decision, code, status, amount, currency, vendor } = row
  const word = verdictWord(verdictOf(decision, code, status))
  return `${word}: ${formatMoney(amount, currency)} at ${vendor}`
}

/** "3 new transactions, 1 rejected", for screen readers. */
export function arrivalWords(count: number, rejected: number): string {
  const all = countOf(count, 'new transaction')
  return rejected === 0 ? all : `${all}, ${formatCount(rejected)} rejected`
}

/** One row of a CSV export, measured on seeded data. */
const ROW_BYTES = 300

/** "1,338 rows, about 400 kB": said before an export starts. */
export function exportSize(total: number, isExact: boolean): string {
  const bytes = total * ROW_BYTES
  const size =
    bytes < 950_000
      ? `${Math.max(1, Math.round(bytes / 1_000))} kB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`
  return isExact
    ? `${countOf(total, 'row')}, about ${size}`
    : `More than ${countOf(total, 'row')}, at least ${size}`
}
