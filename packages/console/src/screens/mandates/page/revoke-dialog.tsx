import type { Mandate } from '@purser/sdk'
import { purser } from '../../../data/client.ts'
import { useAction } from '../../../data/use-action.ts'
import { CopyCurl } from '../../../parts/copy-curl.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { errorSentence } from '../../../words/errors.ts'
import { revokeSentence } from '../sentences.ts'

interface RevokeDialogProps {
  readonly mandate: Mandate
  /** How many child mandates end with it. */
  readonly childCount: number
  readonly onClose: () => void
}

/** Says who can no longer spend, and that it cannot be undone. */
export function RevokeDialog({ mandate, childCount, onClose }: RevokeDialogProps) {
  const { id, name } = mandate
  const revoke = useAction({
    run: (mandateId: string, options) => purser.mandates.revoke(mandateId, {}, options),
    sentence: `Revoke “${name}”`,
    touches: [['mandates'], ['agents']],
    done: () => `“${name}” is revoked.`,
    onDone: onClose,
  })
  return (
    <Confirm
      action={{
        label: `Revoke ${name}`,
        tone: 'danger',
        onConfirm: async () => {
          if (!(await revoke.start(id))) throw new Error('Nothing was revoked.')
        },
      }}
      aside={<CopyCurl request={{ method: 'POST', path: `/mandates/${id}/revoke` }} />}
      effect={revokeSentence(mandate.agentName ?? 'The agent', childCount)}
      error={revoke.error ? errorSentence(revoke.error) : null}
      onClose={onClose}
      open
      title={`Revoke ${name}?`}
    />
  )
}
