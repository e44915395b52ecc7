import type { Agent } from '@purser/sdk'
import { useState } from 'react'
import { purser } from '../../data/client.ts'
import { useAction } from '../../data/use-action.ts'
import { CopyCurl } from '../../parts/copy-curl.tsx'
import { ReasonField } from '../../parts/reason-field.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { errorSentence } from '../../words/errors.ts'

interface PauseDialogProps {
  readonly agent: Agent
  readonly onClose: () => void
}

/** Pauses an agent with a reason, which the audit log keeps. */
export function PauseDialog({ agent, onClose }: PauseDialogProps) {
  const { id, name } = agent
  const [reason, setReason] = useState('')
  const text = reason.trim()
  const body = { status: 'paused' as const, ...(text === '' ? {} : { reason: text }) }
  const pause = useAction({
    run: (change: typeof body, options) => purser.agents.update(id, change, options),
    sentence: `Pause ${name}.`,
    touches: [['agents'], ['mandates'], ['auditLog']],
    done: () => `${name} is paused.`,
  })
  return (
    <Confirm
      action={{
        label: `Pause ${name}`,
        onConfirm: async () => {
          if (!(await pause.start(body))) throw new Error('Nothing was paused.')
        },
      }}
      affected={<ReasonField value={reason} onChange={setReason} />}
      aside={<CopyCurl request={{ method: 'PATCH', path: `/agents/${id}`, body }} />}
      effect="Its spends are rejected from now on. Holds stay. You can resume the agent at any time."
      error={pause.error ? errorSentence(pause.error) : undefined}
      onClose={onClose}
      open
      title={`Pause ${name}?`}
    />
  )
}
