import { issueResetLink } from '../operator/manage-members.ts'
import { enter } from './caller.ts'
import { ADA, newPassword } from './past/people.ts'
import type { Owner } from './sign-in-link.ts'
import type { DemoGateway } from './start.ts'

/** Sets a new password for the owner with a reset link, as an operator would do. */
export async function resetOwner({
  app,
  storage,
}: Pick<DemoGateway, 'app' | 'storage'>): Promise<Owner> {
  const { email } = ADA
  const { token } = await issueResetLink(storage, { organizationId: undefined, email })
  const password = newPassword()
  await enter(app, '/console/api/accept', { token, password })
  return { email, password }
}
