import type { Approval } from '@purser/sdk'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { purser } from '../../data/client.ts'
import { queries } from '../../data/queries.ts'

/** The gateway answers before proxies time out. */
const WAIT_SECONDS = 50
const RETRY_MS = 5_000

/**
 * One request. While it waits and the page is visible, a long poll asks for its answer, so that
 * the answer of another person shows within a second.
 */
export function useWatchedApproval(id: string) {
  const client = useQueryClient()
  const query = useQuery(queries.approval(id))
  const isWaiting = query.data?.status === 'pending'
  useEffect(() => {
    if (!isWaiting) return
    return whileVisible((signal) => follow(client, id, signal))
  }, [client, id, isWaiting])
  return query
}

/** Asks until the request is answered, expires, or the page is left. */
async function follow(client: QueryClient, id: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const approval = await purser.approvals.get(id, { wait: WAIT_SECONDS }, { signal })
      if (signal.aborted) return
      showApproval(client, approval)
      if (approval.status !== 'pending') return
    } catch {
      // The page keeps the last state. An ended session is noticed by the other queries.
      await pause(RETRY_MS, signal)
    }
  }
}

/** Puts a request's newest state on the page, and asks for the lists again if it is answered. */
export function showApproval(client: QueryClient, approval: Approval): void {
  client.setQueryData(queries.approval(approval.id).queryKey, approval)
  if (approval.status === 'pending') return
  client.invalidateQueries({ queryKey: ['approvals', 'list'] }).catch(() => {})
}

function whileVisible(run: (signal: AbortSignal) => Promise<void>): () => void {
  let current: AbortController | undefined
  const onVisibility = () => {
    const isVisible = document.visibilityState === 'visible'
    if (!isVisible) current?.abort()
    else if (!current || current.signal.aborted) {
      current = new AbortController()
      void run(current.signal)
    }
  }
  document.addEventListener('visibilitychange', onVisibility)
  onVisibility()
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    current?.abort()
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
