import { useNow, When } from '../../../parts/when.tsx'

interface OldSecretProps {
  /** Null if only the current secret signs. */
  readonly until: string | null
}

/** Until when a rotated secret still signs, so that its server can be given the new one in time. */
export function OldSecret({ until }: OldSecretProps) {
  const now = useNow()
  if (until === null || Date.parse(until) <= now) return null
  return (
    <p className="mt-1 text-small font-medium text-ask">
      The old secret also signs for <When at={until} /> more.
    </p>
  )
}
