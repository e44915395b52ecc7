import type { EventKind, WebhookEndpoint } from '@purser/sdk'
import { ChevronDown, Copy, Send } from 'lucide-react'
import { purser } from '../../../data/client.ts'
import { useMay } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { curlOf } from '../../../parts/curl.ts'
import { useNavigate } from '../../../router/use-router.ts'
import { Button } from '../../../ui/button.tsx'
import { useCopy } from '../../../ui/copy-button.tsx'
import { Menu, type MenuItem } from '../../../ui/menu.tsx'
import { toast } from '../../../ui/toast.tsx'
import { errorSentence } from '../../../words/errors.ts'
import { eventWord } from '../../../words/words.ts'
import { EVENT_GROUPS } from './event-groups.ts'

const EXAMPLE: EventKind = 'transaction.approved'

/** Sends a test event of any kind, and opens its delivery. */
export function TestMenu({ endpoints }: { readonly endpoints: readonly WebhookEndpoint[] }) {
  const may = useMay('webhooks:write')
  const { copy } = useCopy()
  const navigate = useNavigate()
  const test = useAction({
    run: (event: EventKind, options) => purser.webhooks.test({ event }, options),
    sentence: 'Send a test event.',
    touches: [['deliveries']],
    onDone: ({ id }) =>
      void navigate({
        to: '/settings/webhook/$id',
        params: { id },
        search: (before) => before,
      }),
  })
  const reason = may.reason ?? (endpoints.length > 0 ? undefined : 'Enter a URL first.')
  const items: readonly MenuItem[] = EVENT_GROUPS.flatMap(({ kinds }, index) => [
    ...(index === 0 ? [] : (['separator'] as const)),
    ...kinds.map((kind) => ({ label: eventWord(kind), onSelect: () => void test.start(kind) })),
  ])
  const request = { method: 'POST', path: '/webhooks/test', body: { event: EXAMPLE } } as const
  const withCurl: readonly MenuItem[] = [
    ...items,
    'separator',
    {
      ...{ label: 'Copy as curl', icon: <Copy aria-hidden="true" size={14} strokeWidth={1.5} /> },
      onSelect: () => void copy(curlOf(request)).then((done) => done && toast('Copied as curl.')),
    },
  ]
  const button = (
    <Button
      busy={test.isBusy}
      disabledReason={reason}
      icon={<Send aria-hidden="true" size={14} strokeWidth={1.5} />}
    >
      <span className="inline-flex items-center gap-1.5">
        Send a test event <ChevronDown aria-hidden="true" size={14} />
      </span>
    </Button>
  )
  if (reason !== undefined) return button
  return (
    <>
      <Menu items={withCurl} label="Kind of test event" trigger={button} />
      {test.error ? (
        <p className="w-full text-small text-no" role="alert">
          {errorSentence(test.error)}
        </p>
      ) : null}
    </>
  )
}
