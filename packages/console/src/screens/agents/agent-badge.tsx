import type { AgentStatus } from '@purser/sdk'
import { Check, Pause } from 'lucide-react'
import { Badge } from '../../ui/badge.tsx'

/** Whether the agent may spend. */
export function AgentBadge({ status }: { readonly status: AgentStatus }) {
  const isPaused = status === 'paused'
  const Icon = isPaused ? Pause : Check
  return (
    <Badge tone={isPaused ? 'ask' : 'ok'} icon={<Icon size={13} strokeWidth={1.5} />}>
      {isPaused ? 'Paused' : 'Active'}
    </Badge>
  )
}
