import { MoneyField } from '../../ui/money-field.tsx'
import { moneyValue } from '../../ui/money-text.ts'
import { formatMoney } from '../../words/money.ts'

interface AllowLessProps {
  readonly value: string
  readonly onChange: (value: string) => void
  /** The requested amount. */
  readonly most: number
  readonly currency: string
}

/** Approves less than the agent requested. */
export function AllowLess({ value, onChange, most, currency }: AllowLessProps) {
  const amount = Number(moneyValue(value) ?? 0)
  const requested = formatMoney(most, currency)
  return (
    <div className="flex w-full flex-wrap items-center gap-x-3 gap-y-1.5" data-less="">
      <div className="w-full tablet:w-52">
        <MoneyField
          autoFocus
          currency={currency}
          error={amount > most ? `At most ${requested}.` : null}
          hideLabel
          label="Allow at most"
          onChange={onChange}
          placeholder="Allow at most"
          value={value}
        />
      </div>
      <p className="min-w-0 flex-1 basis-60 text-small text-ink-2">
        The agent requested {requested}. It can spend less, but it has to request the smaller
        amount.
      </p>
    </div>
  )
}
