import { useQuery } from '@tanstack/react-query'
import { queries } from '../../../data/queries.ts'
import { asPurserError } from '../../../data/use-action.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { useTitle } from '../../../page/use-title.ts'
import { Id } from '../../../parts/id.tsx'
import { When } from '../../../parts/when.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ApprovalRules } from './approval-rules.tsx'
import { Chat } from './chat.tsx'
import { Freeze } from './freeze.tsx'
import { General } from './general.tsx'
import { Paths } from './paths.tsx'
import { Retention } from './retention.tsx'
import { UsageMeters } from './usage.tsx'

/** The settings of the organization, and the switch that freezes all spending. */
export function OrganizationSettings() {
  useTitle('Organization')
  const { data, error, refetch } = useQuery(queries.organization())
  return (
    <>
      <PageHeader
        after={data ? <Id value={data.id} /> : undefined}
        crumbs={[{ label: 'Settings' }]}
        title="Organization"
      />
      <div className="grid max-w-190 gap-4 px-4 py-5 tablet:px-6">
        {data ? (
          <>
            <Freeze organization={data} />
            <General organization={data} />
            <UsageMeters />
            <ApprovalRules organization={data} />
            <Chat />
            <Paths organization={data} />
            <Retention organization={data} />
            <p className="text-small text-ink-3">
              Purser {data.version}. Last changed <When ago at={data.updatedAt} />
              {data.updatedByName ? (
                <>
                  {' '}
                  by <bdi>{data.updatedByName}</bdi>
                </>
              ) : null}
              .
            </p>
          </>
        ) : error ? (
          <ErrorNotice
            error={asPurserError(error)}
            onRetry={() => void refetch()}
            title="The settings could not be loaded."
          />
        ) : (
          <Skeleton height={420} shape="block" />
        )}
      </div>
    </>
  )
}
