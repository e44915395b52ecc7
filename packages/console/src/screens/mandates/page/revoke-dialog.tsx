import type { Mandate } from '@purser/sdk'
import { useState } from 'react'
import { purser } from '../../../data/client.ts'
import { useAction } from '../../../data/use-action.ts'
import { CopyCurl } from '../../../parts/copy-curl.tsx'
import { ReasonField } from '../../../parts/reason-field.tsx'
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
  const [reason, setReason] = useState('')
  const body = reason.trim() === '' ? {} : { reason: reason.trim() }
  const revoke = useAction({
    run: (input: typeof body, options) => purser.mandates.revoke(id, input, options),
    sentence: `Revoke “${name}”`,
    touches: [['mandates'], ['agents']],
    done: () => `“${name}” is revoked.`,
    onDone: onClose,
  })
  return (
    <Confirm
      action={{
        label: 'Revoke the mandate',
        tone: 'danger',
        onConfirm: async () => {
          if (!(await revoke.start(body))) throw new Error('Nothing was revoked.')
        },
      }}
      affected={<ReasonField value={reason} onChange={setReason} />}
      aside={<CopyCurl request={{ method: 'POST', path: `/mandates/${id}/revoke`, body }} />}
      effect={revokeSentence(mandate.agentName ?? 'The agent', childCount)}
      error={revoke.error ? errorSentence(revoke.error) : null}
      onClose={onClose}
      open
      title={`Revoke the mandate “${name}”?`}
    />
  )
}
