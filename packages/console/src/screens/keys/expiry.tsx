import type { ApiKey } from '@purser/sdk'
import { Ban, Hourglass } from 'lucide-react'
import { useNow, useTimezone, When } from '../../parts/when.tsx'
import { Badge } from '../../ui/badge.tsx'
import { formatDay } from '../../words/time.ts'

const SOON_MS = 7 * 86_400_000
const ICON = { size: 13, strokeWidth: 1.75, 'aria-hidden': true } as const

interface ExpiryProps {
  readonly apiKey: ApiKey
  /** Says nothing for a key that never expires. */
  readonly quietIfNever?: boolean
}

/** When a key expires, or that it is over. The last seven days are brass. */
export function Expiry({ apiKey: { expiresAt, revokedAt }, quietIfNever = false }: ExpiryProps) {
  const now = useNow()
  const timezone = useTimezone()
  if (revokedAt) {
    return (
      <span className="inline-flex items-center gap-1.5">
        <Badge icon={<Ban {...ICON} />} tone="done">
          Revoked
        </Badge>
        <When ago at={revokedAt} />
      </span>
    )
  }
  if (expiresAt === null) return quietIfNever ? null : <span className="text-ink-3">never</span>
  const left = Date.parse(expiresAt) - now
  if (left <= 0) {
    return (
      <span className="inline-flex items-center gap-1.5">
        <Badge dashed icon={<Hourglass {...ICON} />} tone="done">
          Expired
        </Badge>
        <When ago at={expiresAt} />
      </span>
    )
  }
  // Without a column of its own, the date needs the word.
  const word = quietIfNever ? 'expires ' : ''
  if (left <= SOON_MS) {
    return (
      <span className="font-strong text-ask">
        {word}
        <When ago at={expiresAt} />
      </span>
    )
  }
  return (
    <span>
      {word}
      {formatDay(new Date(expiresAt), timezone, new Date(now))}
    </span>
  )
}
