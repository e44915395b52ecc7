import type { ReactNode } from 'react'
import { Link } from '../../router/link.tsx'
import type { StepId } from './steps.ts'

const PAGES = { webhook: '/settings/webhook', people: '/settings/members' } as const

interface StepLinkProps {
  readonly id: StepId
  readonly children: ReactNode
}

/** Leads to the page of a step that is done elsewhere. The other steps stay plain text. */
export function StepLink({ id, children }: StepLinkProps) {
  return id === 'webhook' || id === 'people' ? <Link to={PAGES[id]}>{children}</Link> : children
}
