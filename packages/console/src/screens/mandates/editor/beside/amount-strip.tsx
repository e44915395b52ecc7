import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { binsOf, Distribution } from '../../../../charts/distribution.tsx'
import { TableToggle } from '../../../../charts/table-toggle.tsx'
import { queries } from '../../../../data/queries.ts'
import { useTimezone } from '../../../../parts/when.tsx'
import { moneyValue } from '../../../../ui/money-text.ts'
import { addDays, dayOf } from '../../../../words/days.ts'
import type { MandateForm } from '../form/mandate-form.ts'
import type { Editor } from '../use-editor.ts'
import type { Range } from './backtest-input.ts'

/** How large the spends were, and where the per-spend limit cuts. */
export function AmountStrip({ editor, range }: { readonly editor: Editor; readonly range: Range }) {
  const { base, form, baseForm } = editor
  const [asTable, setAsTable] = useState(false)
  const today = dayOf(new Date(), useTimezone())
  const from = range === 'all' ? {} : { from: addDays(today, -Number(range)) }
  const query = { ...(base ? { mandateId: base.id } : { agentId: form.agentId }), ...from }
  const amounts = useQuery(queries.transactionAmounts(query, form.agentId !== '')).data ?? []
  if (amounts.length === 0) return null
  const limit = maxOf(form)
  const was = baseForm ? maxOf(baseForm) : null
  const top = topOf(amounts, limit, was)
  return (
    <div className="mt-3">
      <div className="mb-1 flex items-center justify-between text-small text-ink-2">
        <span>
          Distribution of amounts
          {amounts.length === 1_000 ? ', newest 1,000' : ''}
        </span>
        <TableToggle asTable={asTable} onChange={setAsTable} />
      </div>
      <Distribution
        asTable={asTable}
        bins={binsOf(amounts, top)}
        label="Distribution of amounts"
        limit={limit}
        unit={form.currency}
        was={was}
      />
    </div>
  )
}

function maxOf({ rules }: MandateForm): number | null {
  const rule = rules.find(({ type, texts }) => type === 'amount' && texts['max'])
  const value = rule ? moneyValue(rule.texts['max'] ?? '') : null
  return value === null ? null : Number(value)
}

/** The limits and nearly all amounts are in view: one huge amount does not flatten the rest. */
function topOf(amounts: readonly number[], limit: number | null, was: number | null): number {
  const sorted = amounts.toSorted((a, b) => a - b)
  const most = sorted[Math.floor((sorted.length - 1) * 0.99)] ?? 1
  return Math.max(most, (limit ?? 0) * 1.15, (was ?? 0) * 1.15, 1e-6)
}
