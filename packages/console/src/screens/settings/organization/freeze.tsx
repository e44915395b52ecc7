import type { Organization } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { Power } from 'lucide-react'
import { useState } from 'react'
import { purser } from '../../../data/client.ts'
import { queries } from '../../../data/queries.ts'
import { useMay } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { CopyCurl } from '../../../parts/copy-curl.tsx'
import { useNavigate, useSearch } from '../../../router/use-router.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { errorSentence } from '../../../words/errors.ts'
import { countOf } from '../../../words/text.ts'

/** Freezes all spending: one press and one confirmation. Resuming asks for the password. */
export function Freeze({ organization }: { readonly organization: Organization }) {
  const may = useMay('organization:write')
  const { freeze } = useSearch()
  const navigate = useNavigate()
  const { data: agents } = useQuery(queries.agents())
  const setOpen = (isOpen: boolean) =>
    void navigate({ to: '.', search: isOpen ? { freeze: '1' } : {}, replace: !isOpen })
  const [reason, setReason] = useState('')
  const body = { frozen: true, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) }
  const stop = useAction({
    // Freezing needs no password, so that a person can act at once.
    run: (input: typeof body, options) => purser.organization.update(input, options),
    sentence: 'Freeze all spending.',
    touches: [['organization']],
    done: () => 'All spending is frozen.',
  })
  const resume = useAction({
    run: (_: undefined, options) => purser.organization.update({ frozen: false }, options),
    sentence: 'Resume spending: agents may spend again at once.',
    touches: [['organization']],
    done: () => 'Spending resumed. Agents may spend again.',
  })
  const who = agents ? `all ${countOf(agents.total, 'agent')}` : 'all agents'
  const isFrozen = organization.frozen
  return (
    <section
      aria-label="Freeze all spending"
      className="tone-no flex flex-wrap items-center gap-x-4 gap-y-3 rounded-3 border border-tone-line p-3.5"
    >
      <Power aria-hidden="true" className="flex-none text-tone" size={18} strokeWidth={1.75} />
      <div className="min-w-0 flex-1 basis-60">
        <h2 className="font-strong">
          {isFrozen ? 'All spending is frozen' : 'Freeze all spending'}
        </h2>
        <p className="text-ink-2">
          {isFrozen
            ? 'Every spend is rejected. Resuming asks for your password.'
            : 'For an emergency. Every spend is rejected from the moment you confirm, on all paths.'}
        </p>
        <ErrorNotice error={resume.error} title="Spending was not resumed." />
      </div>
      {isFrozen ? (
        <>
          <CopyCurl request={{ method: 'PATCH', path: '/organization', body: { frozen: false } }} />
          <Button
            busy={resume.isBusy}
            disabledReason={may.reason}
            onClick={() => void resume.start(undefined)}
          >
            Resume spending…
          </Button>
        </>
      ) : (
        <Button disabledReason={may.reason} onClick={() => setOpen(true)} variant="danger">
          Freeze all spending…
        </Button>
      )}
      {freeze === '1' && may.isAllowed && !isFrozen ? (
        <Confirm
          action={{
            label: 'Freeze all spending',
            tone: 'danger',
            onConfirm: async () => {
              if (!(await stop.start(body))) throw new Error('not frozen')
            },
          }}
          affected={
            <TextField
              help="Everyone sees it while spending is frozen."
              label="Reason"
              maxLength={500}
              note="optional"
              onChange={setReason}
              value={reason}
            />
          }
          aside={<CopyCurl request={{ method: 'PATCH', path: '/organization', body }} />}
          effect={`Every spend of ${who} is rejected from now on, on all paths, also cards in shops. Holds stay. Nothing is lost, and you can resume at any time.`}
          error={stop.error ? errorSentence(stop.error) : undefined}
          onClose={() => setOpen(false)}
          open
          title="Freeze all spending?"
        />
      ) : null}
    </section>
  )
}
