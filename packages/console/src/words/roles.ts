import type { Me } from '../generated/console-api.ts'

export type Role = Me['member']['role']

export const ROLE_WORDS: Readonly<
  Record<Role, { readonly name: string; readonly may: string; readonly youAre: string }>
> = {
  owner: {
    name: 'Owner',
    may: 'does everything and manages everyone',
    youAre: 'You are an owner.',
  },
  admin: {
    name: 'Admin',
    may: 'does everything, except manage owners',
    youAre: 'You are an admin.',
  },
  approver: {
    name: 'Approver',
    may: 'sees everything except API keys, and decides approvals',
    youAre: 'You are an approver.',
  },
  viewer: {
    name: 'Viewer',
    may: 'sees everything except API keys',
    youAre: 'You are a viewer.',
  },
}

/** Names the roles that have a scope, as a sentence. */
export function whoMay(scope: string): string {
  return scope === 'approvals:write'
    ? 'For owners, admins and approvers.'
    : 'For owners and admins.'
}
