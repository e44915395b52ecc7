import { useTitle } from '../../../page/use-title.ts'
import { PageHeader } from '../../../ui/page-header.tsx'
import { OwnMessages } from './messages.tsx'
import { OwnName, OwnPassword } from './name-and-password.tsx'
import { Passkeys } from './passkeys.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { Sessions } from './sessions.tsx'
import { ThisBrowser } from './this-browser.tsx'

/** The member's own account. */
export function OwnSettings() {
  useTitle('Your account')
  return (
    <>
      <PageHeader crumbs={[{ label: 'Settings' }]} title="Your account" />
      <div className="grid max-w-190 gap-4 px-4 py-5 tablet:px-6">
        <OwnName />
        <OwnMessages />
        <OwnPassword />
        <Passkeys />
        <RecoveryCodes />
        <Sessions />
        <ThisBrowser />
      </div>
    </>
  )
}
