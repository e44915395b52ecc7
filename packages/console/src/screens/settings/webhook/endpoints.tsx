import type { Organization, WebhookEndpoint } from '@purser/sdk'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useMay } from '../../../data/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { furtherEndpoints } from './endpoint-list.ts'
import { EndpointRow, type EndpointVerb } from './endpoint-row.tsx'

const EndpointDialog = lazy(() =>
  import('./endpoint-dialog.tsx').then((all) => ({ default: all.EndpointDialog })),
)
const RemoveEndpoint = lazy(() =>
  import('./remove-endpoint.tsx').then((all) => ({ default: all.RemoveEndpoint })),
)
const RotateSecret = lazy(() =>
  import('./rotate-secret.tsx').then((all) => ({ default: all.RotateSecret })),
)

const ENDPOINTS_MAX = 10

type Open = { readonly verb: 'add' } | { readonly verb: EndpointVerb; readonly id: string }

/** The endpoints beside the first one. Each has its own kinds of events and its own secret. */
export function Endpoints({ organization }: { readonly organization: Organization }) {
  const may = useMay('organization:write')
  const [open, setOpen] = useState<Open | null>(null)
  const further = furtherEndpoints(organization)
  const isFull = organization.webhookEndpoints.length >= ENDPOINTS_MAX
  const full = isFull ? `There can be ${ENDPOINTS_MAX} endpoints.` : undefined
  const close = () => setOpen(null)
  const chosen = open?.verb === 'add' ? undefined : further.find(({ id }) => id === open?.id)
  return (
    <Card aria-label="More endpoints">
      <CardHeader
        action={
          <Button
            disabledReason={may.reason ?? full}
            icon={<Plus aria-hidden="true" size={14} strokeWidth={1.5} />}
            onClick={() => setOpen({ verb: 'add' })}
            size="sm"
          >
            Add an endpoint
          </Button>
        }
        title="More endpoints"
      />
      <CardBody>
        {further.length === 0 ? (
          <p className="text-small text-ink-2">
            A second server can get the same events, or others. Each endpoint has its own secret,
            and none waits for a different one.
          </p>
        ) : (
          <ul className="grid divide-y divide-line">
            {further.map((endpoint) => (
              <EndpointRow
                endpoint={endpoint}
                key={endpoint.id}
                onAct={(verb) => setOpen({ verb, id: endpoint.id })}
                organization={organization}
              />
            ))}
          </ul>
        )}
      </CardBody>
      <Suspense>
        <Layer chosen={chosen} onClose={close} open={open} organization={organization} />
      </Suspense>
    </Card>
  )
}

interface LayerProps {
  readonly open: Open | null
  readonly chosen: WebhookEndpoint | undefined
  readonly organization: Organization
  readonly onClose: () => void
}

function Layer({ open, chosen, organization, onClose }: LayerProps) {
  if (open?.verb === 'add') return <EndpointDialog onClose={onClose} organization={organization} />
  if (!open || !chosen) return null
  if (open.verb === 'rotate') return <RotateSecret endpointId={chosen.id} onClose={onClose} />
  const props = { endpoint: chosen, organization, onClose }
  return open.verb === 'edit' ? <EndpointDialog {...props} /> : <RemoveEndpoint {...props} />
}
