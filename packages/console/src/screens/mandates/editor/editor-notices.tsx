import type { Mandate, MandateWarning, Transaction } from '@purser/sdk'
import { FilePen, Sparkles, TriangleAlert } from 'lucide-react'
import { purser } from '../../../data/client.ts'
import { Link } from '../../../router/link.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toast.tsx'
import { formatMoney } from '../../../words/money.ts'
import { formOfMandate, readForm } from './form/mandate-form.ts'
import { ChangedNotice } from './save/changed-notice.tsx'
import type { Editor } from './use-editor.ts'

interface EditorNoticesProps {
  readonly editor: Editor
  /** The version of the active mandate that the person has seen. */
  readonly accepted: number | undefined
  readonly onAccept: (version: number) => void
  readonly otherDrafts: readonly Mandate[]
  readonly from: Transaction | undefined
  readonly warnings: readonly MandateWarning[]
}

const ICON = { 'aria-hidden': true, size: 16, strokeWidth: 1.5 } as const

/** Notices for a person before they go on: changes of others, other drafts, the exception. */
export function EditorNotices(props: EditorNoticesProps) {
  const { editor, otherDrafts, from, warnings } = props
  const loose = warnings.filter(
    ({ ruleIds }) => !editor.form.rules.some(({ id }) => id === ruleIds[0]),
  )
  return (
    <>
      <Changed {...props} />
      {otherDrafts.map((draft) => (
        <Notice className="mb-4" icon={<FilePen {...ICON} />} key={draft.id}>
          {draft.updatedByName ?? 'Someone else'} has a draft of the next version too.{' '}
          <Link
            params={{ id: draft.draftOf ?? draft.id }}
            search={{ draft: draft.id }}
            to="/mandates/$id/edit"
          >
            Open that draft
          </Link>
        </Notice>
      ))}
      {from && editor.exception ? <Exception changes={editor.exception} from={from} /> : null}
      {loose.map(({ code, message }) => (
        <Notice className="mb-4" icon={<TriangleAlert {...ICON} />} key={code} tone="ask">
          {message}
        </Notice>
      ))}
    </>
  )
}

function Changed({ editor, accepted, onAccept }: EditorNoticesProps) {
  const { base, save, setForm } = editor
  async function takeDraft() {
    const { stored } = save
    if (!stored) return
    const theirs = await purser.mandates.get(stored.id).catch(() => undefined)
    if (!theirs) return toast('The draft could not be loaded. Nothing was changed.')
    const form = formOfMandate(theirs)
    setForm(form)
    save.setStored(theirs, readForm(form))
  }
  if (save.conflict) {
    return (
      <ChangedNotice
        by={save.conflict.by}
        changes={save.conflict.changes}
        onKeep={save.keepMine}
        onTake={() => void takeDraft()}
        thing="draft"
      />
    )
  }
  if (!base || accepted === undefined || base.version === accepted) return null
  return (
    <ChangedNotice
      by={base.updatedByName ?? 'Someone else'}
      onKeep={() => onAccept(base.version)}
      onTake={() => {
        setForm(formOfMandate(base))
        onAccept(base.version)
      }}
      thing="mandate"
      versions={{ id: base.id, a: accepted, b: base.version }}
    />
  )
}

function Exception({
  from,
  changes,
}: {
  readonly from: Transaction
  readonly changes: readonly string[]
}) {
  const spend = `${formatMoney(from.amount, from.currency)} at ${from.vendor}`
  if (changes.length === 0) {
    return (
      <Notice className="mb-4" icon={<TriangleAlert {...ICON} />} tone="ask">
        No rule of this mandate stopped the spend of {spend}, so no change here lets it pass.{' '}
        <Link params={{ id: from.transactionId }} to="/transactions/$id">
          See why
        </Link>
      </Notice>
    )
  }
  return (
    <Notice className="mb-4" icon={<Sparkles {...ICON} />} tone="accent">
      Drafted so that the spend of <bdi>{spend}</bdi> passes. {changes.join(' ')}{' '}
      <Link params={{ id: from.transactionId }} to="/transactions/$id">
        See the spend
      </Link>
    </Notice>
  )
}
