import { formatAmount, formatMoney } from '../words/money.ts'

interface AmountProps {
  readonly value: number
  readonly currency: string | null
  /** Nothing was spent: the amount is struck through. */
  readonly struck?: boolean
  readonly className?: string
}

/** An amount with its currency. Micro amounts are shown in full. */
export function Amount({ value, currency, struck = false, className = '' }: AmountProps) {
  const text = formatAmount(value, currency)
  const look = struck ? 'text-ink-3 line-through decoration-1 decoration-no-fill' : 'font-medium'
  return (
    <span className={`whitespace-nowrap ${className}`} title={formatMoney(value, currency)}>
      {struck ? <s className={look}>{text}</s> : <span className={look}>{text}</span>}
      {currency ? (
        <span className="ml-1 text-micro tracking-[0.02em] text-ink-3">{currency}</span>
      ) : null}
    </span>
  )
}
