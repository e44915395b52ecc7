import { useNow, useTimezone } from '../../parts/when.tsx'
import { formatExact, formatSpan } from '../../words/time.ts'

/** How long ago. A title in place of a tooltip, because a list draws hundreds of these a second. */
export function RowTime({ at }: { readonly at: string }) {
  const now = useNow()
  const timezone = useTimezone()
  const time = new Date(at)
  return (
    <time dateTime={at} title={`${formatExact(time, timezone)} · ${at}`} className="text-ink-3">
      {formatSpan(now - time.getTime())}
    </time>
  )
}
