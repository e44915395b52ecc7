import type { Rule } from '@purser/sdk'
import { FlaskConical } from 'lucide-react'
import { RuleFindings } from '../../../../parts/rule-findings.tsx'
import { Verdict, verdictOf } from '../../../../parts/verdict.tsx'
import { Card } from '../../../../ui/card.tsx'
import { cx } from '../../../../ui/cx.ts'
import type { Editor } from '../use-editor.ts'
import { CardHead } from './card-head.tsx'
import { TestFields } from './test-fields.tsx'
import type { TestSpend } from './test-input.ts'
import { differsSentence, verdictSentence } from './test-sentences.ts'
import type { Tested } from './use-tester.ts'

interface TesterProps {
  readonly editor: Editor
  readonly test: TestSpend
  readonly onTest: (test: TestSpend) => void
  readonly tested: Tested
}

/** Whether a spend would pass under the rules of the form, before anything is saved. */
export function Tester({ editor, test, onTest, tested }: TesterProps) {
  const { form } = editor
  return (
    <Card aria-labelledby="tester-heading" id="tester">
      <CardHead
        icon={<FlaskConical aria-hidden size={14} strokeWidth={1.5} />}
        id="tester-heading"
        note={test.at === '' ? 'with these rules, now' : 'with these rules'}
        title="Would this be approved?"
      />
      <div className="px-3.5 py-3">
        <TestFields currency={form.currency} onChange={onTest} test={test} zone={form.timezone} />
        <div aria-live="polite" className="mt-3 min-h-11">
          <Outcome editor={editor} tested={tested} />
        </div>
      </div>
    </Card>
  )
}

function Outcome({ editor, tested }: { readonly editor: Editor; readonly tested: Tested }) {
  const { draft, active, isBusy, error, unread } = tested
  if (unread) return <p className="text-ink-2">{unread}</p>
  if (error && !isBusy) return <p className="text-no">{error}</p>
  if (!draft) return <p className="text-ink-3">Testing…</p>
  const { evaluationDetails, decision } = draft
  const kind = verdictOf(decision, evaluationDetails.code)
  const { currency } = editor.form
  const differs = active && differsSentence(draft, active, editor.base?.version, currency)
  const isPastUnknown = draft.warnings?.some(({ code }) => code === 'past_not_known')
  return (
    <div className={cx('transition-opacity', isBusy && 'opacity-60')}>
      <Verdict as="p" isTested kind={kind} sentence={verdictSentence(draft, editor.form)}>
        {differs ? (
          <p className={`mt-0.5 text-small font-medium tone-${differs.tone} text-tone`}>
            {differs.text}
          </p>
        ) : null}
      </Verdict>
      {isPastUnknown ? (
        <p className="mt-2 text-small text-ink-3">
          Counts start at zero here, because these limits are not active yet.
        </p>
      ) : null}
      {evaluationDetails.rules.length > 0 ? (
        <details className="mt-2">
          <summary className="w-fit cursor-default rounded-1 text-small text-ink-2 hover:text-ink">
            Every rule
          </summary>
          <div className="mt-1">
            <RuleFindings
              at={evaluationDetails.evaluatedAt}
              currency={currency}
              definitions={editor.read.shown.rules as readonly Rule[]}
              rules={evaluationDetails.rules}
            />
          </div>
        </details>
      ) : null}
    </div>
  )
}
