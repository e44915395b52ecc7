import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Scope, useMay } from '../data/session.ts'
import { Notice } from '../ui/notice.tsx'

interface GuardedPageProps {
  readonly scope: Scope
  /** The subject of the page: "API keys". */
  readonly what: string
  readonly children: ReactNode
}

/** A page that some roles may not see: it says who may, and never shows an empty table instead. */
export function GuardedPage({ scope, what, children }: GuardedPageProps) {
  const may = useMay(scope)
  if (may.isAllowed) return children
  return (
    <div className="p-6">
      <Notice tone="done" icon={<Lock size={16} strokeWidth={1.5} />} title={`${what}.`}>
        {may.reason} Ask an owner for a different role.
      </Notice>
    </div>
  )
}
