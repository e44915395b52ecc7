import type { Approval } from '@purser/sdk'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { purser } from '../../data/client.ts'
import { queries } from '../../data/queries.ts'

/** The gateway answers before proxies time out. */
const WAIT_SECONDS = 50
/** The next long poll begins this long after the last one ended. */
const NEXT_MS = 1_000
const RETRY_MS = 5_000

/**
 * One request. While it waits and the page is visible, a long poll asks for its answer, so that
 * the answer of another person shows within a second. Events of the stream take up to two.
 */
export function useWatchedApproval(id: string) {
  const client = useQueryClient()
  const query = useQuery(queries.approval(id))
  const isWaiting = query.data?.status === 'pending'
  useQuery({
    // Events about approvals must not start the poll again, so its key is none of theirs.
    queryKey: ['approvalAnswer', id],
    queryFn: async ({ signal }) => {
      const approval = await purser.approvals.get(id, { wait: WAIT_SECONDS }, { signal })
      showApproval(client, approval)
      return approval.status
    },
    enabled: isWaiting,
    // A poll that runs is not started twice, and a hidden page starts none.
    refetchInterval: ({ state }) => (state.status === 'error' ? RETRY_MS : NEXT_MS),
    gcTime: 0,
  })
  return query
}

/** Puts a request's newest state on the page, and asks for the lists again if it is answered. */
export function showApproval(client: QueryClient, approval: Approval): void {
  client.setQueryData(queries.approval(approval.id).queryKey, approval)
  if (approval.status === 'pending') return
  client.invalidateQueries({ queryKey: ['approvals', 'list'] }).catch(() => {})
}
