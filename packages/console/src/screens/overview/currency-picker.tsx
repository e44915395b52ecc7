import { Link } from '../../router/link.tsx'
import { SEGMENT, SEGMENTS } from '../../ui/segment-classes.ts'

interface CurrencyPickerProps {
  readonly currencies: readonly string[]
  readonly value: string
}

/** Which currency the chart and the lists show. Amounts of two currencies are never added up. */
export function CurrencyPicker({ currencies, value }: CurrencyPickerProps) {
  if (currencies.length < 2) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: the links are no fields of a form.
    <div aria-label="Currency of the chart" className={SEGMENTS} role="group">
      {currencies.map((currency) => (
        <Link
          aria-current={currency === value ? 'true' : undefined}
          className={SEGMENT}
          key={currency}
          search={(before) => ({ ...before, currency })}
          to="/"
        >
          {currency}
        </Link>
      ))}
    </div>
  )
}
