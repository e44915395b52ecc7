import { CalendarDays } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from '../../router/link.tsx'
import { useNavigate } from '../../router/use-router.ts'
import { PRESETS, type Range, rangeLabel } from './range.ts'

const load = () => import('./range-popover.tsx')
const RangePopover = lazy(() => load().then((it) => ({ default: it.RangePopover })))

const ITEM =
  'inline-flex min-h-6.5 shrink-0 items-center gap-1.5 rounded-2 border border-transparent px-2.5 text-small font-medium whitespace-nowrap text-ink-2 hover:text-ink hover:no-underline focus-visible:-outline-offset-2 focus-visible:rounded-2 aria-[current]:border-line aria-[current]:bg-raised aria-[current]:text-ink aria-[current]:shadow-1 pointer-coarse:min-h-10 forced-colors:aria-[current]:border-[Highlight]'

/** The days that the page counts: a number of days up to today, or any two days. */
export function RangePicker({ range, today }: { readonly range: Range; readonly today: string }) {
  const [isOpen, setIsOpen] = useState<boolean | null>(null)
  const navigate = useNavigate()
  const trigger = (
    <button
      aria-current={range.preset === null ? 'true' : undefined}
      className={ITEM}
      onFocus={() => void load()}
      onPointerEnter={() => void load()}
      type="button"
      // The popup has its own handler once it is loaded.
      {...(isOpen === null ? { onClick: () => setIsOpen(true) } : {})}
    >
      <CalendarDays aria-hidden="true" size={14} strokeWidth={1.5} />
      <span className="max-phone:sr-only">{rangeLabel(range)}</span>
    </button>
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: the links are no fields of a form.
    <div
      aria-label="Days"
      className="inline-flex max-w-full gap-0.5 rounded-3 border border-line bg-well p-0.5"
      role="group"
    >
      {PRESETS.map(({ preset, label }) => (
        <Link
          aria-current={range.preset === preset ? 'true' : undefined}
          className={ITEM}
          key={preset}
          search={({ currency }) => ({
            ...(currency ? { currency } : {}),
            ...(preset === '30d' ? {} : { range: preset }),
          })}
          to="/"
        >
          {label}
        </Link>
      ))}
      {isOpen === null ? (
        trigger
      ) : (
        <Suspense fallback={trigger}>
          <RangePopover
            isOpen={isOpen}
            onChoose={({ from, to }) => {
              setIsOpen(false)
              void navigate({
                to: '/',
                search: ({ currency }) => ({ ...(currency ? { currency } : {}), from, to }),
              })
            }}
            onOpenChange={setIsOpen}
            {...{ range, today, trigger }}
          />
        </Suspense>
      )}
    </div>
  )
}
