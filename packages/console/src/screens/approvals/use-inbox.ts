import type { Approval } from '@purser/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { queries } from '../../data/queries.ts'
import { useNow } from '../../parts/when.tsx'
import { type InboxRow, mergeInbox } from './inbox.ts'

const ROWS_MAX = 200
/** Opt-in events may be missed, so the inbox also asks on its own. */
const POLL_MS = 15_000

/** The requests that wait, the next to expire first, and those answered since the page opened. */
export function useInbox(agentId: string | undefined) {
  const query = useQuery({
    ...queries.approvals({
      ...{ status: 'pending', sort: 'expiresAt', limit: ROWS_MAX },
      ...(agentId === undefined ? {} : { agentId }),
    }),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  })
  const waiting = query.data?.data
  const [kept, setKept] = useState<{ readonly agentId?: string; readonly rows: Rows }>(EMPTY)
  // A different filter begins with an empty memory.
  const before = kept.agentId === agentId ? kept.rows : EMPTY.rows
  const rows = waiting ? mergeInbox(before, waiting) : before
  useEffect(() => {
    if (!waiting) return
    setKept((last) => ({
      ...(agentId === undefined ? {} : { agentId }),
      rows: mergeInbox(last.agentId === agentId ? last.rows : EMPTY.rows, waiting),
    }))
  }, [waiting, agentId])
  return { query, rows, total: query.data?.total ?? 0, pending: query.data?.pending ?? 0 }
}

type Rows = readonly InboxRow[]
const EMPTY: { readonly rows: Rows } = { rows: [] }

/** The newest state of an answered row: the one that the page has read, or the remembered one. */
export function useRowState(approval: Approval, isWaiting: boolean): Approval {
  const { data } = useQuery({ ...queries.approval(approval.id), enabled: !isWaiting })
  // The list refreshes relative times.
  useNow()
  return isWaiting ? approval : (data ?? approval)
}
