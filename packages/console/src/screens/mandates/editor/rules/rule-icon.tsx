import {
  ArrowRight,
  Bookmark,
  CalendarClock,
  Clock,
  Code,
  Copy,
  type LucideIcon,
  Sparkles,
  Store,
  TrendingUp,
  UserRound,
  Waypoints,
} from 'lucide-react'
import type { RuleType } from '../form/rule-form.ts'

const ICONS: Readonly<Record<RuleType, LucideIcon>> = {
  amount: ArrowRight,
  limit: Clock,
  vendors: Store,
  categories: Bookmark,
  schedule: CalendarClock,
  paths: Waypoints,
  duplicate: Copy,
  new_vendor: Sparkles,
  price_drift: TrendingUp,
  expression: Code,
  approval: UserRound,
}

/** The sign of a type of rule. */
export function RuleIcon({ type }: { readonly type: RuleType }) {
  const Icon = ICONS[type]
  return <Icon aria-hidden className="flex-none" size={16} strokeWidth={1.5} />
}
