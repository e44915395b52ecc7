import type { Organization, WebhookEndpoint } from '@purser/sdk'
import { CopyCurl } from '../../../parts/copy-curl.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { errorSentence } from '../../../words/errors.ts'
import { hostOf, withoutEndpoint } from './endpoint-list.ts'
import { useEndpoints } from './use-endpoints.ts'

interface RemoveEndpointProps {
  readonly organization: Organization
  readonly endpoint: WebhookEndpoint
  readonly onClose: () => void
}

export function RemoveEndpoint({ organization, endpoint, onClose }: RemoveEndpointProps) {
  const host = hostOf(endpoint.url)
  const save = useEndpoints({
    sentence: `Remove the endpoint at ${host}.`,
    done: `The endpoint at ${host} is removed.`,
  })
  const webhookEndpoints = withoutEndpoint(organization, endpoint.id)
  return (
    <Confirm
      action={{
        label: 'Remove the endpoint',
        tone: 'danger',
        onConfirm: async () => {
          if (!(await save.start(webhookEndpoints))) throw new Error('not removed')
        },
      }}
      aside={
        <CopyCurl
          request={{ method: 'PATCH', path: '/organization', body: { webhookEndpoints } }}
        />
      }
      effect="Purser sends nothing more to it. Events that wait for it become canceled, and its secret is gone."
      error={save.error ? errorSentence(save.error) : undefined}
      onClose={onClose}
      open
      title={`Remove the endpoint at ${host}?`}
    />
  )
}
