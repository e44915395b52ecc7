import type { Approval } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { queries } from '../data/queries.ts'
import { useNavigate } from '../router/use-router.ts'
import { formatMoney } from '../words/money.ts'

/** A hidden page has no stream, so it asks. */
const POLL_MS = 30_000

/**
 * Shows new approval requests as notifications of the browser while the page is hidden. The title
 * has no word of an agent; the text has the amount and the vendor, but never the agent's reason.
 */
export function ApprovalWatcher() {
  const navigate = useNavigate()
  const known = useRef<ReadonlySet<string> | null>(null)
  const { data } = useQuery({
    ...queries.approvals({ status: 'pending' }),
    refetchInterval: POLL_MS,
    refetchIntervalInBackground: true,
  })
  useEffect(() => {
    if (!data) return
    const before = known.current
    known.current = new Set(data.data.map(({ id }) => id))
    // The first list is no news, and a person who looks at the page sees the badge.
    if (!before || document.visibilityState === 'visible') return
    for (const approval of data.data) {
      if (before.has(approval.id) || !approval.mayDecide) continue
      notify(approval, () => {
        void navigate({ to: '/approvals/$id', params: { id: approval.id } })
      })
    }
  }, [data, navigate])
  return null
}

function notify({ id, agentName, amount, currency, vendor }: Approval, open: () => void): void {
  try {
    // Every tab sees the request. Notifications with the same tag are one.
    const notification = new Notification('A spend needs approval', {
      tag: id,
      body: `${agentName ?? 'An agent'}: ${formatMoney(amount, currency)} at ${vendor}`,
    })
    notification.onclick = () => {
      window.focus()
      open()
      notification.close()
    }
  } catch {
    // Chrome on Android has the permission, but only a service worker may show notifications there.
  }
}
