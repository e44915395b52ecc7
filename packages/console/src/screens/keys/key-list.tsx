import type { ApiKey, ApiKeyList, ApiKeyStatusFilter } from '@purser/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../../data/queries.ts'
import { useMay } from '../../data/session.ts'
import { asPurserError } from '../../data/use-action.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { useSearch } from '../../router/use-router.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { countOf } from '../../words/text.ts'
import { KeyDialogs } from './key-dialogs.tsx'
import { KeyFilters } from './key-filters.tsx'
import type { KeyVerb } from './key-row.tsx'
import { KeyTable } from './key-table.tsx'
import { sortKeys } from './terms.ts'

/** The keys that the address asks for, and the dialogs that change them. */
export function KeyList({ onCreate }: { readonly onCreate: () => void }) {
  const { agent, sort, ...search } = useSearch()
  const status = statusOf(search['status'])
  const query = {
    ...(status === 'active' ? {} : { status }),
    ...(agent ? { agentId: agent } : {}),
  }
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...queries.apiKeys(query),
    placeholderData: keepPreviousData,
  })
  const [open, setOpen] = useState<{ readonly verb: KeyVerb; readonly key: ApiKey } | null>(null)
  return (
    <>
      <p className="max-w-[78ch] px-4 pt-3.5 text-ink-2 tablet:px-6">
        Programs use keys, people sign in. Give each agent a key of its own: it can spend within its
        mandate and change nothing.
      </p>
      <KeyFilters agentId={agent} status={status} />
      {data ? (
        <div className={isPlaceholderData ? 'opacity-60' : undefined}>
          <Found
            onAct={(verb, key) => setOpen({ verb, key })}
            isOfAgent={agent !== undefined}
            onCreate={onCreate}
            page={data}
            sort={sort}
            status={status}
          />
        </div>
      ) : error ? (
        <div className="px-4 tablet:px-6">
          <ErrorNotice
            error={asPurserError(error)}
            onRetry={() => void refetch()}
            title="The keys could not be loaded."
          />
        </div>
      ) : (
        <Skeleton rows={5} shape="table" />
      )}
      <KeyDialogs onClose={() => setOpen(null)} open={open} />
    </>
  )
}

interface FoundProps {
  readonly page: ApiKeyList
  readonly status: ApiKeyStatusFilter
  /** The list has the keys of one agent. */
  readonly isOfAgent: boolean
  readonly sort: string | undefined
  readonly onAct: (verb: KeyVerb, key: ApiKey) => void
  readonly onCreate: () => void
}

function Found({ page, status, isOfAgent, sort, onAct, onCreate }: FoundProps) {
  if (page.data.length === 0) return <NoKeys {...{ status, isOfAgent, onCreate }} />
  return (
    <>
      <KeyTable keys={sortKeys(page.data, sort)} onAct={onAct} sort={sort} />
      {page.hasMore ? (
        <p className="px-4 py-3 text-small text-ink-3 tablet:px-6">
          The newest {page.data.length} of {countOf(page.total, 'key')}. Filter by agent to see
          others.
        </p>
      ) : null}
    </>
  )
}

function NoKeys({
  status,
  isOfAgent,
  onCreate,
}: Pick<FoundProps, 'status' | 'isOfAgent' | 'onCreate'>) {
  const may = useMay('keys:write')
  if (status === 'revoked') {
    return (
      <Empty title="No key was revoked.">
        A revoked key stays here, so that you can see who created it and when it was used.
      </Empty>
    )
  }
  return (
    <Empty
      action={
        <Button disabledReason={may.reason} onClick={onCreate}>
          Create key
        </Button>
      }
      title={isOfAgent ? 'This agent has no key of its own.' : 'No keys yet.'}
    >
      A program sends its key with each call.
    </Empty>
  )
}

function statusOf(text: string | undefined): ApiKeyStatusFilter {
  return text === 'revoked' || text === 'all' ? text : 'active'
}
