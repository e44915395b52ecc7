import type { PurserError } from '@purser/sdk'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { errorSentence } from '../words/errors.ts'

interface ErrorNoticeProps {
  /** The failed thing, as a sentence: "The list could not be loaded." */
  readonly title: string
  readonly error: PurserError | null
  readonly onRetry?: () => void
}

/** The failure, its meaning and the next step; then the id of the request. */
export function ErrorNotice({ title, error, onRetry }: ErrorNoticeProps) {
  if (!error) return null
  return (
    <Notice
      tone="no"
      title={title}
      action={onRetry ? <Button onClick={onRetry}>Try again</Button> : undefined}
    >
      {errorSentence(error)}
      {error.requestId ? (
        <span className="mt-1 block text-small text-ink-3">
          Request <code>{error.requestId}</code>
        </span>
      ) : null}
    </Notice>
  )
}
