import { useNow } from '../../parts/when.tsx'
import { formatSpan } from '../../words/time.ts'

/** How long ago. The exact time is a title, because a list draws hundreds of these a second. */
export function RowTime({ at }: { readonly at: string }) {
  const now = useNow()
  return (
    <time dateTime={at} title={at.replace('T', ' ').replace('Z', ' UTC')} className="text-ink-3">
      {/* A row can be newer than the shared present, which is up to ten seconds old. */}
      {formatSpan(Math.max(0, now - Date.parse(at)))}
    </time>
  )
}
