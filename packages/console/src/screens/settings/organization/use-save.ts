import type { Organization, OrganizationChange } from '@purser/sdk'
import { purser } from '../../../data/client.ts'
import { type RunningAction, useAction } from '../../../data/use-action.ts'

/**
 * Saves some settings of the organization. The gateway refuses the change if someone else changed
 * the settings after this page had read them.
 */
export function useSave(
  organization: Organization,
  { what, done, onDone }: { what: string; done: string; onDone?: () => void },
): RunningAction<OrganizationChange, Organization> {
  return useAction({
    run: (change: OrganizationChange, options) =>
      purser.organization.update({ ...change, expectedUpdatedAt: organization.updatedAt }, options),
    sentence: what,
    touches: [['organization'], ['me'], ['state']],
    done: () => done,
    ...(onDone ? { onDone } : {}),
  })
}
