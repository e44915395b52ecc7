import type { Agent } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { purser } from '../../data/client.ts'
import { queries } from '../../data/queries.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { CopyCurl } from '../../parts/copy-curl.tsx'
import { useNavigate } from '../../router/use-router.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { errorSentence } from '../../words/errors.ts'
import { deletionEffect } from './deletion-effect.ts'

interface DeleteDialogProps {
  readonly agent: Agent
  readonly onClose: () => void
}

/** Deletes an agent after its name was typed. */
export function DeleteDialog({ agent, onClose }: DeleteDialogProps) {
  const { id, name, mandate } = agent
  const navigate = useNavigate()
  const may = useMay('keys:read')
  const { data: keys } = useQuery({ ...queries.agentKeys(id), enabled: may.isAllowed })
  const { data: cards } = useQuery(queries.agentCards(id))
  const remove = useAction({
    run: (_: undefined) => purser.agents.delete(id),
    sentence: `Delete ${name}.`,
    done: () => `${name} is deleted.`,
    touches: [['agents', 'list'], ['mandates'], ['apiKeys'], ['cards']],
    onDone: () => void navigate({ to: '/agents', replace: true }),
  })
  // A key for several agents stays with the others.
  const ownKeys = keys?.data.filter(({ agentIds }) => agentIds?.length === 1).length
  const openCards = cards?.data.filter(({ status }) => status !== 'closed').length
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Delete ${name}?`}
      effect={deletionEffect({ hasMandate: Boolean(mandate), keys: ownKeys, cards: openCards })}
      typed={name.trim()}
      busy={remove.isBusy}
      error={remove.error ? errorSentence(remove.error) : undefined}
      aside={<CopyCurl request={{ method: 'DELETE', path: `/agents/${id}` }} />}
      action={{
        ...{ label: `Delete ${name}`, tone: 'danger' },
        onConfirm: async () => {
          // The dialog stays open and shows the error.
          if (!(await remove.start(undefined))) throw new Error('Nothing was deleted.')
        },
      }}
    />
  )
}
