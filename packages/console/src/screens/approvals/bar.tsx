import type { MayNotDecideReason, PurserError } from '@purser/sdk'
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { Notice } from '../../ui/notice.tsx'
import { isOwnRequest, mayNotSentence } from './sentences.ts'

interface BarProps {
  readonly error?: PurserError | null
  readonly children: ReactNode
}

/** The bar at the end of a request. On a phone it sticks above the bar of the places. */
export function Bar({ error = null, children }: BarProps) {
  const isOwn = isOwnRequest(error?.code) ? error.code : undefined
  return (
    <section
      aria-label="Your answer"
      className="sticky bottom-14 z-1 border-t border-line bg-sheet px-4 py-3 tablet:static tablet:rounded-br-4 tablet:px-7"
      data-print="none"
    >
      {error ? (
        <div className="mb-2.5">
          {isOwn ? (
            <Notice role="alert" tone="no" icon={<Lock aria-hidden size={16} strokeWidth={1.5} />}>
              {mayNotSentence(isOwn, undefined)}
            </Notice>
          ) : (
            <ErrorNotice title="Your answer was not recorded." error={error} />
          )}
        </div>
      ) : null}
      <div className="flex flex-wrap items-center gap-2 tablet:flex-nowrap tablet:has-[[data-less]]:flex-wrap">
        {children}
      </div>
    </section>
  )
}

interface MayNotDecideProps {
  readonly reason: MayNotDecideReason | null
  readonly scopeReason: string | undefined
}

/** In place of the buttons: why this person may not decide, and who may. */
export function MayNotDecide({ reason, scopeReason }: MayNotDecideProps) {
  return (
    <Bar>
      <Lock aria-hidden size={16} strokeWidth={1.5} className="flex-none text-ink-3" />
      <p className="min-w-0 flex-1 text-ink-2">{mayNotSentence(reason, scopeReason)}</p>
    </Bar>
  )
}
