import type { PathName } from '@purser/sdk'
import { CreditCard, type LucideIcon, Store, Terminal, Zap } from 'lucide-react'
import { PATH_WORDS } from '../words/words.ts'

const ICONS: Readonly<Record<PathName, LucideIcon>> = {
  evaluate: Terminal,
  x402: Zap,
  acp: Store,
  card: CreditCard,
}

/** The payment path of a spend. */
export function PathIcon({ path }: { readonly path: PathName }) {
  const Icon = ICONS[path]
  return (
    <span className="inline-flex flex-none text-ink-3" title={PATH_WORDS[path]}>
      <Icon size={14} strokeWidth={1.5} aria-hidden />
      <span className="sr-only">{PATH_WORDS[path]}:</span>
    </span>
  )
}
