import type { Agent, AgentStatus } from '@purser/sdk'
import { Copy, Ellipsis, FlaskConical, Inbox, Pause, Pencil, Play, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { purser } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { curlOf } from '../../parts/curl.ts'
import { Link } from '../../router/link.tsx'
import { Button } from '../../ui/button.tsx'
import { useCopy } from '../../ui/copy-button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import { errorSentence } from '../../words/errors.ts'

const AgentDialog = lazy(async () => ({
  default: (await import('./agent-dialog.tsx')).AgentDialog,
}))
const PauseDialog = lazy(async () => ({
  default: (await import('./pause-dialog.tsx')).PauseDialog,
}))
const DeleteDialog = lazy(async () => ({
  default: (await import('./delete-dialog.tsx')).DeleteDialog,
}))

/** Try a spend, pause or resume, and the rest in a menu. */
export function AgentActions({ agent }: { readonly agent: Agent }) {
  const may = useMay('agents:write')
  const { copy } = useCopy()
  const [open, setOpen] = useState<'edit' | 'pause' | 'delete' | null>(null)
  const { start, isBusy, error } = usePause(agent)
  const { id, status } = agent
  const isPaused = status === 'paused'
  const next: AgentStatus = isPaused ? 'active' : 'paused'
  const change = { method: 'PATCH', path: `/agents/${id}`, body: { status: next } } as const
  return (
    <>
      {error ? (
        <span className="text-small text-no" role="alert">
          {errorSentence(error)}
        </span>
      ) : null}
      <Button
        icon={<FlaskConical aria-hidden size={16} />}
        render={<Link to="/simulator" search={{ agent: id }} />}
      >
        Try a spend
      </Button>
      <Button
        busy={isBusy}
        disabledReason={may.reason}
        icon={isPaused ? <Play aria-hidden size={16} /> : <Pause aria-hidden size={16} />}
        onClick={() => void start(next)}
      >
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
      <Menu
        trigger={<IconButton icon={<Ellipsis aria-hidden />} label="More" variant="default" />}
        items={[
          {
            label: 'Edit…',
            icon: <Pencil size={14} />,
            disabledReason: may.reason,
            onSelect: () => setOpen('edit'),
          },
          ...(isPaused
            ? []
            : [
                {
                  label: 'Pause with a reason…',
                  icon: <Pause size={14} />,
                  disabledReason: may.reason,
                  onSelect: () => setOpen('pause'),
                },
              ]),
          {
            label: 'Its approvals',
            icon: <Inbox size={14} />,
            render: <Link to="/approvals" search={{ agent: id }} />,
          },
          {
            label: isPaused ? 'Copy resume as curl' : 'Copy pause as curl',
            icon: <Copy size={14} />,
            onSelect: () => {
              void copy(curlOf(change)).then((isCopied) => isCopied && toast('Copied.'))
            },
          },
          'separator',
          {
            label: 'Delete…',
            icon: <Trash2 size={14} />,
            danger: true,
            disabledReason: may.reason,
            onSelect: () => setOpen('delete'),
          },
        ]}
      />
      <Suspense>
        {open === 'edit' ? (
          <AgentDialog agent={agent} onClose={() => setOpen(null)} onSaved={() => setOpen(null)} />
        ) : null}
        {open === 'pause' ? <PauseDialog agent={agent} onClose={() => setOpen(null)} /> : null}
        {open === 'delete' ? <DeleteDialog agent={agent} onClose={() => setOpen(null)} /> : null}
      </Suspense>
    </>
  )
}

/** Pauses at once, without a dialog. The toast takes it back for eight seconds. */
function usePause({ id, name }: Agent) {
  const touches = [['agents'], ['mandates'], ['auditLog']]
  const resume = useAction({
    run: (_: undefined, options) => purser.agents.update(id, { status: 'active' }, options),
    sentence: `Resume ${name}: it may spend again.`,
    touches,
    done: () => `${name} may spend again.`,
  })
  const pause = useAction({
    run: (_: undefined, options) => purser.agents.update(id, { status: 'paused' }, options),
    sentence: `Pause ${name}.`,
    touches,
    onDone: () => {
      toast(`${name} is paused. Its spends are rejected from now on. Holds stay.`, {
        undo: () => void resume.start(undefined),
      })
    },
  })
  return {
    start: (status: AgentStatus) => (status === 'paused' ? pause : resume).start(undefined),
    isBusy: pause.isBusy || resume.isBusy,
    error: pause.error ?? resume.error,
  }
}
