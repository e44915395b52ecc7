import type { Organization, WebhookEndpoint } from '@purser/sdk'
import { Ellipsis, KeyRound, Pause, Pencil, Play, Send, Trash2 } from 'lucide-react'
import { purser } from '../../../data/client.ts'
import { useMay } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { useNavigate } from '../../../router/use-router.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { errorSentence } from '../../../words/errors.ts'
import { hostOf, withEndpoint } from './endpoint-list.ts'
import { EndpointStatus } from './endpoint-status.tsx'
import { kindsSentence } from './event-groups.ts'
import { OldSecret } from './old-secret.tsx'
import { useEndpoints } from './use-endpoints.ts'

export type EndpointVerb = 'edit' | 'rotate' | 'remove'

interface EndpointRowProps {
  readonly organization: Organization
  readonly endpoint: WebhookEndpoint
  readonly onAct: (verb: EndpointVerb) => void
}

const ICON = { size: 14, 'aria-hidden': true } as const

/** One endpoint: its address, its events, its state, and the actions for it. */
export function EndpointRow({ organization, endpoint, onAct }: EndpointRowProps) {
  const { id, url, status, events, secretHint } = endpoint
  const host = hostOf(url)
  const isPaused = status === 'paused'
  const may = useMay('organization:write')
  const mayTest = useMay('webhooks:write')
  const save = useEndpoints({
    sentence: `${isPaused ? 'Resume' : 'Pause'} the endpoint at ${host}.`,
    done: isPaused ? 'Purser sends what waited.' : 'The endpoint is paused. Its events wait.',
  })
  const test = useTest(endpoint)
  const error = save.error ?? test.error
  const turned = { id, status: isPaused ? 'active' : 'paused' } as const
  return (
    <li className="flex items-start gap-3 py-2.5 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1">
        <p className="font-mono wrap-anywhere">{url}</p>
        <p className="mt-1 text-small text-ink-2">
          {kindsSentence(events)} Secret <code>{secretHint}…</code>
        </p>
        <OldSecret until={endpoint.previousSecretValidUntil} />
        <p className="mt-1.5">
          <EndpointStatus endpoint={endpoint} />
        </p>
        {error ? (
          <p className="mt-1 text-small text-no" role="alert">
            {errorSentence(error)}
          </p>
        ) : null}
      </div>
      <Menu
        items={[
          {
            ...{ label: 'Change…', icon: <Pencil {...ICON} /> },
            ...{ disabledReason: may.reason, onSelect: () => onAct('edit') },
          },
          {
            label: isPaused ? 'Resume' : 'Pause',
            icon: isPaused ? <Play {...ICON} /> : <Pause {...ICON} />,
            disabledReason: may.reason,
            onSelect: () => void save.start(withEndpoint(organization, turned)),
          },
          {
            ...{ label: 'Send a test event', icon: <Send {...ICON} /> },
            ...{ disabledReason: mayTest.reason, onSelect: () => void test.start(undefined) },
          },
          {
            ...{ label: 'Rotate the secret…', icon: <KeyRound {...ICON} /> },
            ...{ disabledReason: may.reason, onSelect: () => onAct('rotate') },
          },
          'separator',
          {
            ...{ label: 'Remove…', icon: <Trash2 {...ICON} />, danger: true },
            ...{ disabledReason: may.reason, onSelect: () => onAct('remove') },
          },
        ]}
        label={`Actions for ${host}`}
        trigger={
          <IconButton icon={<Ellipsis aria-hidden size={16} />} label={`Actions for ${host}`} />
        }
      />
    </li>
  )
}

/** Sends a test event, and opens its delivery. */
function useTest({ id }: WebhookEndpoint) {
  const navigate = useNavigate()
  return useAction({
    run: (_: undefined, options) =>
      purser.webhooks.test({ event: 'transaction.approved', endpointId: id }, options),
    sentence: 'Send a test event.',
    touches: [['deliveries']],
    onDone: (delivery) =>
      void navigate({
        to: '/settings/webhook/$id',
        params: { id: delivery.id },
        search: (before) => before,
      }),
  })
}
