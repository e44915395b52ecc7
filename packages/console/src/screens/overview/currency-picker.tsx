import { Link } from '../../router/link.tsx'

interface CurrencyPickerProps {
  readonly currencies: readonly string[]
  readonly value: string
}

/** Which currency the chart and the lists show. Amounts of two currencies are never added up. */
export function CurrencyPicker({ currencies, value }: CurrencyPickerProps) {
  if (currencies.length < 2) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: the links are no fields of a form.
    <div
      aria-label="Currency of the chart"
      className="inline-flex max-w-full gap-0.5 rounded-3 border border-line bg-well p-0.5"
      role="group"
    >
      {currencies.map((currency) => (
        <Link
          aria-current={currency === value ? 'true' : undefined}
          className="inline-flex min-h-6.5 items-center rounded-2 border border-transparent px-2.5 text-small font-medium text-ink-2 hover:text-ink hover:no-underline focus-visible:-outline-offset-2 focus-visible:rounded-2 aria-[current]:border-line aria-[current]:bg-raised aria-[current]:text-ink aria-[current]:shadow-1 pointer-coarse:min-h-10 forced-colors:aria-[current]:border-[Highlight]"
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
