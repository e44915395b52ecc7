import type { EventKind, Organization } from '@purser/sdk'
import { useState } from 'react'
import { purser } from '../../../data/client.ts'
import { useMay } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { CopyCurl } from '../../../parts/copy-curl.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { eventWord } from '../../../words/words.ts'
import { ALL_KINDS, EVENT_GROUPS } from './event-groups.ts'

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
  function toggle(kinds: readonly EventKind[], isOn: boolean) {
    const next = new Set(chosen)
    for (const kind of kinds) {
      if (isOn) next.add(kind)
      else next.delete(kind)
    }
    setChosen(next)
  }
  return (
    <Dialog
      description="From now on, Purser sends these kinds. Events that wait and are of a kind that you switch off become canceled."
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
      <div className="grid gap-x-6 gap-y-4 phone:grid-cols-2">
        {EVENT_GROUPS.map(({ name, kinds }) => (
          <fieldset className="min-w-0" key={name}>
            <legend className="mb-1.5">
              <Checkbox
                checked={
                  kinds.every((kind) => chosen.has(kind)) ||
                  (kinds.some((kind) => chosen.has(kind)) ? 'some' : false)
                }
                disabled={!may.isAllowed}
                label={<b>{name}</b>}
                onChange={(isOn) => toggle(kinds, isOn)}
              />
            </legend>
            <div className="grid gap-1.5 pl-6">
              {kinds.map((kind) => (
                <Checkbox
                  checked={chosen.has(kind)}
                  disabled={!may.isAllowed}
                  help={<code>{kind}</code>}
                  key={kind}
                  label={eventWord(kind)}
                  onChange={(isOn) => toggle([kind], isOn)}
                />
              ))}
            </div>
          </fieldset>
        ))}
      </div>
      <div className="mt-3 empty:hidden">
        <ErrorNotice error={save.error} title="The kinds were not saved." />
      </div>
    </Dialog>
  )
}
