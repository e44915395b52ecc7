import type { Question } from '../data/ask-again.ts'
import { Dialog } from '../ui/dialog.tsx'
import { ProveForm } from './prove-form.tsx'

/**
 * Asks for the password in place, when the session has ended or a change needs it. The page behind
 * it keeps the typed text, and the refused request runs again.
 */
export function AskAgain({ question }: { readonly question: Question }) {
  const isSession = question.kind === 'session'
  return (
    <Dialog
      open
      size="sm"
      onClose={() => question.answer(false)}
      title={isSession ? 'Your session has ended' : 'Confirm that it is you'}
      description={
        isSession
          ? 'Sign in again. The page keeps what you typed.'
          : (question.action ?? 'This change needs your password.')
      }
    >
      <ProveForm question={question} />
    </Dialog>
  )
}
