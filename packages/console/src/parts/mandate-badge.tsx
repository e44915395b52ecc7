import type { MandateStatus } from '@purser/sdk'
import { Ban, Check, Hourglass, type LucideIcon, Pencil } from 'lucide-react'
import { Badge } from '../ui/badge.tsx'
import { MANDATE_WORDS } from '../words/words.ts'

const ICONS: Readonly<Record<MandateStatus, LucideIcon>> = {
  draft: Pencil,
  active: Check,
  expired: Hourglass,
  revoked: Ban,
}

interface MandateBadgeProps {
  readonly status: MandateStatus
  /** Adds the number: "Active, version 4". */
  readonly version?: number | undefined
}

/** The state of a mandate: an icon, a word and a colour. */
export function MandateBadge({ status, version }: MandateBadgeProps) {
  const { word, tone } = MANDATE_WORDS[status]
  const Icon = ICONS[status]
  return (
    <Badge dashed={status === 'expired'} icon={<Icon size={13} strokeWidth={1.75} />} tone={tone}>
      {version === undefined ? word : `${word}, version ${version}`}
    </Badge>
  )
}
