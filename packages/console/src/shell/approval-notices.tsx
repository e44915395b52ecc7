import { lazy, Suspense } from 'react'
import { useNotifyState } from '../data/notify.ts'

const ApprovalWatcher = lazy(async () => ({
  default: (await import('./approval-watcher.tsx')).ApprovalWatcher,
}))

/** Notifications about approval requests, for people who switched them on. */
export function ApprovalNotices() {
  if (useNotifyState() !== 'on') return null
  return (
    <Suspense>
      <ApprovalWatcher />
    </Suspense>
  )
}
