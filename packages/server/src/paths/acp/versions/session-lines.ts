import { fromMinor } from '../../../core/minor-unit.ts'
import type { Micros } from '../../../core/money.ts'
import { type Fields, fieldsOf, readId, readText } from './merchant-text.ts'
import { readTotals } from './session-money.ts'
import type { SessionLine } from './version.ts'

const LINES_MAX = 500

/**
 * Reads the lines of a session, or returns null if they are unclear. Older versions have the
 * quantity in the item and the amount in the line itself.
 */
export function readLines(value: unknown, currency: string): readonly SessionLine[] | null {
  if (!Array.isArray(value) || value.length > LINES_MAX) return null
  const lines: SessionLine[] = []
  for (const entry of value) {
    const line = readLine(fieldsOf(entry), currency)
    if (line === null) return null
    lines.push(line)
  }
  return lines
}

function readLine(line: Fields, currency: string): SessionLine | null {
  const item = fieldsOf(line['item'])
  const id = readId(line['id'])
  const itemId = readId(item['id'])
  const quantity = line['quantity'] ?? item['quantity']
  if (id === null || itemId === null || !isCount(quantity)) return null
  return {
    id,
    itemId,
    name: readText(line['name']) ?? readText(item['name']),
    quantity,
    amount: readAmount(line, currency),
    category: readText(line['category']),
  }
}

/** Line amounts are only shown, so an unclear one is left out. */
function readAmount(line: Fields, currency: string): Micros | null {
  if (line['totals'] === undefined) return fromMinor(line['total'], currency) ?? null
  const totals = readTotals(line['totals'], currency) ?? []
  const [total, ...others] = totals.filter(({ type }) => type === 'total')
  return total && others.length === 0 ? total.amount : null
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}
