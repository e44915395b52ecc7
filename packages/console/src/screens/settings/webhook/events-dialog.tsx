import type { EventKind, Organization } from '@purser/sdk'
import { useState } from 'react'
import { purser } from '../../../data/client.ts'
import { useMay } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { CopyCurl } from '../../../parts/copy-curl.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ALL_KINDS } from './event-groups.ts'
import { KindsField } from './kinds-field.tsx'

interface EventsDialogProps {
  readonly organization: Organization
  readonly onClose: () => void
}

/** Chooses the kinds of events that Purser sends. */
export function EventsDialog({ organization, onClose }: EventsDialogProps) {
  const may = useMay('organization:write')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(organization.webhookEvents))
  const webhookEvents = ALL_KINDS.filter((kind) => chosen.has(kind))
  const save = useAction({
    run: (body: { readonly webhookEvents: readonly EventKind[] }, options) =>
      purser.organization.update(body, options),
    sentence: 'Change the kinds of events that Purser sends.',
    touches: [['organization']],
    done: () => 'The kinds of events are saved.',
    onDone: onClose,
  })
  return (
    <Dialog
      description="From now on, Purser sends these kinds. Events that already wait may still be sent."
      footer={
        <>
          <div className="mr-auto">
            <CopyCurl
              request={{ method: 'PATCH', path: '/organization', body: { webhookEvents } }}
            />
          </div>
          <Button onClick={onClose}>Cancel</Button>
          <Button busy={save.isBusy} disabledReason={may.reason} type="submit" variant="primary">
            Save kinds
          </Button>
        </>
      }
      onClose={onClose}
      onSubmit={() => void save.start({ webhookEvents })}
      open
      title="Kinds of events"
    >
      <KindsField chosen={chosen} isDisabled={!may.isAllowed} onChange={setChosen} />
      <div className="mt-3 empty:hidden">
        <ErrorNotice error={save.error} title="The kinds were not saved." />
      </div>
    </Dialog>
  )
}
