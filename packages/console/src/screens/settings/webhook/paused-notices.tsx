import type { Organization, WebhookEndpoint } from '@purser/sdk'
import { TriangleAlert } from 'lucide-react'
import { useMay } from '../../../data/session.ts'
import { When } from '../../../parts/when.tsx'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { errorSentence } from '../../../words/errors.ts'
import { hostOf, withEndpoint } from './endpoint-list.ts'
import { useEndpoints } from './use-endpoints.ts'

/** One notice for each endpoint that the gateway has paused, because every attempt failed. */
export function PausedNotices({ organization }: { readonly organization: Organization }) {
  return organization.webhookEndpoints
    .filter(({ pausedReason }) => pausedReason === 'failing')
    .map((endpoint) => (
      <PausedNotice endpoint={endpoint} key={endpoint.id} organization={organization} />
    ))
}

interface PausedNoticeProps {
  readonly organization: Organization
  readonly endpoint: WebhookEndpoint
}

function PausedNotice({ organization, endpoint }: PausedNoticeProps) {
  const may = useMay('organization:write')
  const host = hostOf(endpoint.url)
  const save = useEndpoints({
    sentence: `Resume the endpoint at ${host}.`,
    done: 'Purser sends what waited.',
  })
  const active = { id: endpoint.id, status: 'active' } as const
  return (
    <Notice
      action={
        <Button
          aria-label={`Resume ${host}`}
          busy={save.isBusy}
          disabledReason={may.reason}
          onClick={() => void save.start(withEndpoint(organization, active))}
          size="sm"
        >
          Resume
        </Button>
      }
      icon={<TriangleAlert aria-hidden="true" size={16} />}
      title={`Purser has paused the endpoint at ${host}.`}
      tone="no"
    >
      Every attempt failed for five days, so it was paused{' '}
      {endpoint.pausedAt === null ? null : <When ago at={endpoint.pausedAt} />}. Its events wait and
      are not lost. Repair your server, then resume.
      {save.error ? <span role="alert"> {errorSentence(save.error)}</span> : null}
    </Notice>
  )
}
