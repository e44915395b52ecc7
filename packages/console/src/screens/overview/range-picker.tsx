import { CalendarDays } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from '../../router/link.tsx'
import { useNavigate } from '../../router/use-router.ts'
import { SEGMENT, SEGMENTS } from '../../ui/segment-classes.ts'
import { PRESETS, type Range, rangeLabel } from './range.ts'

const load = () => import('./range-popover.tsx')
const RangePopover = lazy(() => load().then((it) => ({ default: it.RangePopover })))

/** The days that the page counts: a number of days up to today, or any two days. */
export function RangePicker({ range, today }: { readonly range: Range; readonly today: string }) {
  const [isOpen, setIsOpen] = useState<boolean | null>(null)
  const navigate = useNavigate()
  const trigger = (
    <button
      aria-current={range.preset === null ? 'true' : undefined}
      className={SEGMENT}
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
    <div aria-label="Days" className={SEGMENTS} role="group">
      {PRESETS.map(({ preset, label }) => (
        <Link
          aria-current={range.preset === preset ? 'true' : undefined}
          className={SEGMENT}
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
