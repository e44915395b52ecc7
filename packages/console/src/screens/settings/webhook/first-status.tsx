import type { Organization, WebhookEndpoint } from '@purser/sdk'
import { useMay } from '../../../data/session.ts'
import { Button } from '../../../ui/button.tsx'
import { errorSentence } from '../../../words/errors.ts'
import { withEndpoint } from './endpoint-list.ts'
import { EndpointStatus } from './endpoint-status.tsx'
import { useEndpoints } from './use-endpoints.ts'

interface FirstStatusProps {
  readonly organization: Organization
  readonly endpoint: WebhookEndpoint
}

/** Whether the first endpoint is active, and the button that pauses or resumes it. */
export function FirstStatus({ organization, endpoint }: FirstStatusProps) {
  const may = useMay('organization:write')
  const isPaused = endpoint.status === 'paused'
  const save = useEndpoints({
    sentence: isPaused ? 'Resume the webhook.' : 'Pause the webhook.',
    done: isPaused ? 'Purser sends what waited.' : 'The webhook is paused. Its events wait.',
  })
  const status = isPaused ? 'active' : 'paused'
  return (
    <div className="mt-2.5 flex flex-wrap items-center gap-2">
      <EndpointStatus endpoint={endpoint} />
      <Button
        busy={save.isBusy}
        disabledReason={may.reason}
        onClick={() => void save.start(withEndpoint(organization, { id: endpoint.id, status }))}
        size="sm"
      >
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
      {save.error ? (
        <p className="w-full text-small text-no" role="alert">
          {errorSentence(save.error)}
        </p>
      ) : null}
    </div>
  )
}
