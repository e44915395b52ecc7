import type { Mandate } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { queries } from '../../../data/queries.ts'
import { useMay } from '../../../data/session.ts'
import { useShortcut } from '../../../keys/use-shortcut.ts'
import { useTitle } from '../../../page/use-title.ts'
import { useTimezone } from '../../../parts/when.tsx'
import { useNavigate, useSearch } from '../../../router/use-router.ts'
import { later, useAfterPaint } from '../../../ui/later.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { dayOf } from '../../../words/days.ts'
import { backtestInput, type Range } from './beside/backtest-input.ts'
import { useBacktest } from './beside/use-backtest.ts'
import { useTester } from './beside/use-tester.ts'
import { BudgetFields } from './budget-fields.tsx'
import { EditorHeader } from './editor-header.tsx'
import { EditorNotices } from './editor-notices.tsx'
import type { MandateForm } from './form/mandate-form.ts'
import { forgetForm } from './form-storage.ts'
import { SaveBar } from './save/save-bar.tsx'
import { useDiscard } from './save/use-discard.ts'
import { type Source, sourceKey } from './source.ts'
import { type Editor, useEditor } from './use-editor.ts'
import type { SpendToAllow } from './use-spend-to-allow.ts'
import { useTest } from './use-test.ts'

const ReviewDialog = lazy(() =>
  import('./save/review-dialog.tsx').then((it) => ({ default: it.ReviewDialog })),
)

/** The name and the budget are drawn first. The rules and the cards beside them load then. */
const laterParts = later(() => import('./later-parts.ts'))

interface EditorScreenProps {
  readonly source: Source
  readonly empty?: MandateForm
  readonly from?: SpendToAllow | undefined
  /** Other people's drafts of the next version. */
  readonly otherDrafts?: readonly Mandate[]
  /** Above the budget: the agent and the templates of a new mandate. */
  readonly children?: (editor: Editor) => ReactNode
}

/** The tester, the backtest and the words, in pixels. */
const CARD_HEIGHTS = [208, 252, 196]
const RULE_HEIGHT = 84

/** The form, and beside it the tester, the backtest and the words. */
export function EditorScreen(props: EditorScreenProps) {
  const { source, from, otherDrafts = [], children } = props
  const may = useMay('mandates:write')
  const base = useBase(source)
  const editor = useEditor({ ...props, base, from, isAllowed: may.isAllowed })
  const { form, read, save, attempt } = editor
  const agentName = useAgentName(form.agentId) ?? base?.agentName ?? null
  const [test, setTest] = useTest(form, from?.spend)
  const tested = useTester(editor, test)
  const [range, setRange] = useState<Range>('30')
  const subject = base?.id ?? save.stored?.id
  const today = dayOf(new Date(), useTimezone())
  const backtest = useBacktest(subject, backtestInput(editor, range, today))
  const report = backtest.state === 'done' ? backtest.report : undefined
  // A draft that was not saved on this page yet has only the warnings of its backtest.
  const warnings = save.warnings ?? report?.warnings ?? []
  const [accepted, setAccepted] = useState(() => seenVersion(source))
  const parts = useAfterPaint(laterParts)
  const review = useReview()
  const navigate = useNavigate()
  const discard = useDiscard(editor)
  useTitle(`Editing: ${form.name || 'New mandate'}`)
  useShortcut('mod+Enter', () => void openReview(), {
    label: 'Review and activate',
    group: 'Mandate editor',
  })

  /** Saves, then goes on with the stored draft. The first wrong field gets the focus otherwise. */
  async function saveOrShow(): Promise<Mandate | undefined> {
    if (!may.isAllowed) return undefined
    if (read.input && form.agentId !== '') return save.save()
    attempt()
    setTimeout(() => document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
    return undefined
  }
  async function openReview() {
    if (editor.source.kind === 'next' && editor.changes === 0) return
    const draft = await saveOrShow()
    if (!draft) return
    if (source.kind !== 'new') return review.open()
    forgetForm(sourceKey(source))
    await navigate({ to: '/mandates/$id/edit', params: { id: draft.id }, search: { review: '1' } })
  }
  async function saveNow() {
    const draft = await saveOrShow()
    if (!draft || source.kind !== 'new') return
    forgetForm(sourceKey(source))
    await navigate({ to: '/mandates/$id/edit', params: { id: draft.id } })
  }
  function leave(mandate: Mandate) {
    forgetForm(sourceKey(source))
    void navigate({ to: '/mandates/$id', params: { id: mandate.id } })
  }
  return (
    <>
      <EditorHeader
        agentName={agentName}
        editor={editor}
        may={may}
        onDelete={source.kind === 'draft' ? discard.deleteDraft : undefined}
      />
      <div className="grid flex-1 desk:min-h-0 desk:grid-cols-[minmax(0,1fr)_27rem] desk:overflow-hidden">
        <div className="min-w-0 px-4 pt-5 pb-8 tablet:px-6 desk:overflow-auto">
          <EditorNotices
            accepted={accepted}
            editor={editor}
            from={from?.spend}
            onAccept={setAccepted}
            otherDrafts={otherDrafts}
            warnings={warnings}
          />
          {children?.(editor)}
          <BudgetFields editor={editor} terms={parts && <parts.TermFields editor={editor} />} />
          <Rules editor={editor} parts={parts} warnings={warnings} />
        </div>
        <aside
          aria-label="Test, backtest and words"
          className="grid min-w-0 content-start gap-3 border-t border-line bg-well p-4 desk:overflow-auto desk:border-t-0 desk:border-l"
        >
          <Cards
            {...{ parts, editor, test, tested, backtest, range }}
            onRange={setRange}
            onTest={setTest}
          />
        </aside>
      </div>
      <SaveBar
        editor={editor}
        isMoved={base !== undefined && base.version !== accepted}
        may={may}
        onDiscard={discard.discard}
        onReview={() => void openReview()}
        onSave={() => void saveNow()}
        verdict={
          parts ? (
            <parts.VerdictLine currency={form.currency} test={test} tested={tested} />
          ) : (
            'Testing …'
          )
        }
      />
      {review.isOpen && save.stored && read.input ? (
        <Suspense>
          <ReviewDialog
            agentName={agentName ?? 'The agent'}
            draft={save.stored}
            editor={editor}
            expectedVersion={accepted}
            onClose={review.close}
            onDone={leave}
            report={report}
            warnings={warnings}
          />
        </Suspense>
      ) : null}
    </>
  )
}

type Parts = typeof import('./later-parts.ts')

interface LaterProps {
  readonly parts: Parts | undefined
}

/** The rules, or bars of their height, so that nothing jumps when they come. */
function Rules({ parts, ...props }: LaterProps & ComponentProps<Parts['RuleList']>) {
  if (parts) return <parts.RuleList {...props} />
  return (
    <div className="mt-15 grid gap-2">
      {props.editor.form.rules.map(({ id }) => (
        <Skeleton height={RULE_HEIGHT} key={id} shape="block" />
      ))}
    </div>
  )
}

function Cards({ parts, ...props }: LaterProps & ComponentProps<Parts['Beside']>) {
  if (parts) return <parts.Beside {...props} />
  return CARD_HEIGHTS.map((height) => <Skeleton height={height} key={height} shape="block" />)
}

/** The active mandate as it is now: other people can change it meanwhile. */
function useBase(source: Source): Mandate | undefined {
  const given = source.kind === 'next' ? source.base : undefined
  const query = queries.mandate(given?.id ?? '')
  const { data } = useQuery({ ...query, enabled: given !== undefined })
  return given ? (data ?? given) : undefined
}

function useAgentName(agentId: string): string | null {
  const { data } = useQuery({ ...queries.agent(agentId), enabled: agentId !== '' })
  return data?.name ?? null
}

function seenVersion(source: Source): number | undefined {
  return source.kind === 'next' ? (source.draft?.draftOfVersion ?? source.base.version) : undefined
}

/** Whether the review is open is in the address. */
function useReview() {
  const isWanted = useSearch()['review'] === '1'
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => setOpen(isWanted), [isWanted])
  const go = (review: string | undefined) =>
    void navigate({ to: '.', search: (old) => ({ ...old, review }), replace: review === undefined })
  return { isOpen, open: () => go('1'), close: () => go(undefined) }
}
