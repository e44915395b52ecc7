import type { Backtest, Mandate, MandateWarning } from '@purser/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, History, Replace, TriangleAlert } from 'lucide-react'
import { useRef } from 'react'
import { purser } from '../../../../data/client.ts'
import { queries } from '../../../../data/queries.ts'
import { useAction } from '../../../../data/use-action.ts'
import { ErrorNotice } from '../../../../page/error-notice.tsx'
import { CopyCurl } from '../../../../parts/copy-curl.tsx'
import { useNow } from '../../../../parts/when.tsx'
import { MandateWords } from '../../../../parts/words/mandate-words.tsx'
import { TermDiff } from '../../../../parts/words/term-diff.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { gapSentence, startSentence } from '../../sentences.ts'
import { backtestSentence } from '../beside/backtest-input.ts'
import type { Editor } from '../use-editor.ts'
import { reasonsAgainst } from './review-reasons.ts'

interface ReviewDialogProps {
  readonly editor: Editor
  /** The saved draft. */
  readonly draft: Mandate
  readonly agentName: string
  readonly report: Backtest | undefined
  readonly warnings: readonly MandateWarning[]
  /** The version of the active mandate that the person has seen. */
  readonly expectedVersion: number | undefined
  readonly onClose: () => void
  readonly onDone: (mandate: Mandate) => void
}

/** The changes of an activation, for whom and from when. The button repeats it. */
export function ReviewDialog(props: ReviewDialogProps) {
  const { editor, draft, agentName, onClose, onDone, expectedVersion } = props
  const { base, form } = editor
  const client = useQueryClient()
  const button = useRef<HTMLButtonElement>(null)
  const rival = useRival(draft)
  const parent = useParent(draft)
  const now = useNow()
  const reasons = reasonsAgainst(editor, parent, expectedVersion, now)
  const body = {
    ...(base ? { expectedVersion } : { expectedUpdatedAt: draft.updatedAt }),
    ...(rival ? { replace: true } : {}),
  }
  const name = base ? `version ${base.version + 1}` : `the mandate “${form.name.trim()}”`
  const activate = useAction({
    run: (input: typeof body, options) => purser.mandates.activate(draft.id, input, options),
    sentence: `Activate ${name}`,
    touches: [['mandates'], ['agents']],
    done: (mandate) => `${mandate.name}, version ${mandate.version}, is active.`,
    onDone,
  })
  async function press() {
    const done = await activate.start(body)
    // Someone else may have changed it: the page shows the difference.
    if (!done) await client.invalidateQueries({ queryKey: ['mandates'] })
  }
  return (
    <Dialog
      description={effectOf(editor, agentName, now)}
      footer={
        <>
          <p className="min-w-60 flex-1 text-small text-ink-3">{base ? tokenText(base) : null}</p>
          <CopyCurl request={{ method: 'POST', path: `/mandates/${draft.id}/activate`, body }} />
          <Button onClick={onClose}>Keep editing</Button>
          <Button
            busy={activate.isBusy}
            disabledReason={reasons[0]}
            onClick={() => void press()}
            ref={button}
            variant="primary"
          >
            {rival ? `Replace the mandate “${rival.name}”` : `Activate ${name}`}
          </Button>
        </>
      }
      initialFocus={button}
      onClose={onClose}
      open
      size="lg"
      title={`Activate ${name}?`}
    >
      <Changes editor={editor} />
      <Notices {...props} reasons={reasons} rival={rival} />
      <div className="mt-3 empty:hidden">
        <ErrorNotice error={activate.error} title="Nothing was activated." />
      </div>
    </Dialog>
  )
}

function effectOf({ base, form }: Editor, agentName: string, now: number): string {
  const when = startSentence(agentName, form, now)
  return base ? `${when} Version ${base.version} stays in the record.` : when
}

function tokenText({ version }: Mandate): string {
  return `Mandate tokens of version ${version} are no longer valid. Recipients that verify them offline notice within 15 minutes.`
}

/** The active mandate of the agent that this one would replace. */
function useRival(draft: Mandate): Mandate | undefined {
  const query = queries.mandates({ agentId: draft.agentId, status: 'active' })
  const { data } = useQuery({ ...query, enabled: draft.draftOf === null })
  return draft.draftOf === null ? data?.data.find(({ id }) => id !== draft.id) : undefined
}

function useParent({ parentMandateId }: Mandate): Mandate | undefined {
  const query = queries.mandate(parentMandateId ?? '')
  return useQuery({ ...query, enabled: parentMandateId !== null }).data
}

function Changes({ editor }: { readonly editor: Editor }) {
  const { base, form, read } = editor
  if (!base) return <MandateWords terms={read.shown} />
  const rename =
    base.name === form.name.trim() ? null : (
      <p className="mb-2 text-ink-2">
        The name becomes <b className="text-ink">{form.name.trim()}</b>.
      </p>
    )
  return (
    <>
      {rename}
      <TermDiff
        after={read.shown}
        before={base}
        caption="Changes of this version"
        heads={[`Version ${base.version}, active`, `Version ${base.version + 1}`]}
      />
    </>
  )
}

interface NoticesProps extends ReviewDialogProps {
  readonly reasons: readonly string[]
  readonly rival: Mandate | undefined
}

function Notices({ editor, report, reasons, rival, agentName, warnings }: NoticesProps) {
  const now = useNow()
  const past = report ? backtestSentence(report, editor.form.timezone, new Date(now)) : undefined
  const gap = rival ? gapSentence(agentName, editor.form, now) : undefined
  const icon = { 'aria-hidden': true, size: 16, strokeWidth: 1.5 }
  return (
    <div className="mt-3 grid gap-3 tablet:auto-cols-fr tablet:grid-flow-col-dense tablet:grid-rows-[auto] tablet:has-[>:nth-child(3)]:grid-flow-row">
      {past ? (
        <Notice icon={<History {...icon} />}>
          {past.start}
          <b>{past.strong}</b>
          {past.end}
        </Notice>
      ) : null}
      {warnings.map(({ code, message }) => (
        <Notice icon={<TriangleAlert {...icon} />} key={code + message} tone="ask">
          {message}
        </Notice>
      ))}
      {rival ? (
        <Notice icon={<Replace {...icon} />} tone="ask">
          <b>{agentName} has an active mandate already.</b> “{rival.name}” and its child mandates
          are revoked in the same step. A revoked mandate cannot be activated again.
        </Notice>
      ) : null}
      {gap ? (
        <Notice icon={<TriangleAlert {...icon} />} tone="no">
          <b>The mandate starts later than the old one ends.</b> {gap}
        </Notice>
      ) : null}
      {reasons.map((reason) => (
        <Notice icon={<CircleAlert {...icon} />} key={reason} tone="no">
          {reason}
        </Notice>
      ))}
    </div>
  )
}
