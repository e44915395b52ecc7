import type { Organization } from '@purser/sdk'
import { lazy, Suspense, useState } from 'react'
import { useMay } from '../../../data/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { kindsSentence } from './event-groups.ts'
import { FirstStatus } from './first-status.tsx'

const UrlDialog = lazy(() => import('./url-dialog.tsx').then((all) => ({ default: all.UrlDialog })))
const EventsDialog = lazy(() =>
  import('./events-dialog.tsx').then((all) => ({ default: all.EventsDialog })),
)

/** Where events go, and which kinds. */
export function UrlCard({ organization }: { readonly organization: Organization }) {
  const may = useMay('organization:write')
  const [open, setOpen] = useState<'url' | 'events' | null>(null)
  const { webhookUrl, webhookEvents } = organization
  const close = () => setOpen(null)
  const endpoint = webhookUrl === null ? undefined : organization.webhookEndpoints[0]
  return (
    <Card aria-label="Where events go">
      <CardHeader
        action={
          <Button disabledReason={may.reason} onClick={() => setOpen('url')} size="sm">
            {webhookUrl === null ? 'Enter a URL' : 'Change'}
          </Button>
        }
        title="Where events go"
      />
      <CardBody>
        <p className="font-mono wrap-anywhere">
          {webhookUrl ?? <span className="font-sans text-ink-3">No URL yet</span>}
        </p>
        <p className="mt-1.5 text-small text-ink-2">
          {kindsSentence(webhookEvents)}{' '}
          <button
            className="font-medium text-accent underline underline-offset-2"
            onClick={() => setOpen('events')}
            type="button"
          >
            {may.isAllowed ? 'Choose kinds' : 'See kinds'}
          </button>
        </p>
        {endpoint ? <FirstStatus endpoint={endpoint} organization={organization} /> : null}
      </CardBody>
      <Suspense>
        {open === 'url' ? <UrlDialog onClose={close} organization={organization} /> : null}
        {open === 'events' ? <EventsDialog onClose={close} organization={organization} /> : null}
      </Suspense>
    </Card>
  )
}
