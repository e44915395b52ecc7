import type { Backtest } from '@purser/sdk'
import { History } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { ErrorNotice } from '../../../../page/error-notice.tsx'
import { useNow } from '../../../../parts/when.tsx'
import { Card } from '../../../../ui/card.tsx'
import { cx } from '../../../../ui/cx.ts'
import { NativeSelect } from '../../../../ui/native-select.tsx'
import { formatCount } from '../../../../words/money.ts'
import { countOf } from '../../../../words/text.ts'
import { formatShortDay } from '../../../../words/time.ts'
import type { Editor } from '../use-editor.ts'
import { flipMoney, type Range } from './backtest-input.ts'
import { CardHead } from './card-head.tsx'
import { Examples } from './examples.tsx'
import type { BacktestState } from './use-backtest.ts'

const BacktestDetails = lazy(() =>
  import('./backtest-details.tsx').then((it) => ({ default: it.BacktestDetails })),
)

/** The drawing loads when there is something to draw: its scales are a quarter of the editor. */
const AmountStrip = lazy(() =>
  import('./amount-strip.tsx').then((it) => ({ default: it.AmountStrip })),
)

const RANGES = [
  { value: '30' as const, label: '30 days' },
  { value: '90' as const, label: '90 days' },
  { value: 'all' as const, label: 'All' },
]

interface BacktestCardProps {
  readonly editor: Editor
  readonly backtest: BacktestState
  readonly range: Range
  readonly onRange: (range: Range) => void
}

/** The past under the rules of the form: the decisions that would have been different. */
export function BacktestCard({ editor, backtest, range, onRange }: BacktestCardProps) {
  const { report } = backtest
  const [isOpen, setOpen] = useState(false)
  return (
    <Card aria-labelledby="backtest-heading">
      <CardHead
        icon={<History aria-hidden size={14} strokeWidth={1.5} />}
        id="backtest-heading"
        note={
          <span className="flex items-center gap-2">
            <span aria-live="polite">
              <Progress backtest={backtest} timezone={editor.form.timezone} />
            </span>
            <NativeSelect
              aria-label="Backtest range"
              look="button"
              onChange={onRange}
              options={RANGES}
              size="sm"
              value={range}
            />
          </span>
        }
        title="Backtest"
      />
      <div className="px-3.5 py-3">
        <ErrorNotice
          error={backtest.state === 'failed' ? backtest.error : null}
          onRetry={backtest.retry}
          title="The backtest failed."
        />
        {report ? (
          <div className={cx(backtest.state !== 'done' && 'opacity-60')}>
            <Flips report={report} />
            <Strip editor={editor} range={range} />
            <Examples examples={report.examples.slice(0, 3)} />
            <button
              className="mt-2.5 text-small text-accent hover:underline"
              onClick={() => setOpen(true)}
              type="button"
            >
              {moreText(report)}
            </button>
            {isOpen ? (
              <Suspense>
                <BacktestDetails onClose={() => setOpen(false)} report={report} />
              </Suspense>
            ) : null}
          </div>
        ) : (
          <Idle backtest={backtest} editor={editor} range={range} />
        )}
      </div>
    </Card>
  )
}

function Strip(props: Pick<BacktestCardProps, 'editor' | 'range'>) {
  return (
    <Suspense>
      <AmountStrip {...props} />
    </Suspense>
  )
}

function moreText({ newlyApproved, newlyRejected }: Backtest): string {
  const count = newlyApproved + newlyRejected
  return count === 0
    ? 'Assumptions of the backtest'
    : `${count === 1 ? 'The one that changes' : `All ${formatCount(count)} that change`}, and the assumptions`
}

function Progress({ backtest, timezone }: { backtest: BacktestState; timezone: string }) {
  const { state, replayed, report } = backtest
  if (state === 'queued') return 'Waiting for a different backtest'
  if (state === 'running') return replayed > 0 ? `${formatCount(replayed)} replayed …` : 'Running …'
  if (!report) return null
  const since = report.from ? `, since ${formatShortDay(new Date(report.from), timezone)}` : ''
  return `${countOf(report.replayed, 'spend')}${since}${report.partial ? ', stopped early' : ''}`
}

function Idle({ backtest, editor, range }: Omit<BacktestCardProps, 'onRange'>) {
  const { source, base, changes, read } = editor
  useNow()
  if (backtest.state === 'queued') {
    return <p className="text-ink-2">A different backtest is running. Yours starts when it ends.</p>
  }
  if (backtest.state === 'running') return <p className="text-ink-2">Replaying the spends …</p>
  if (backtest.state === 'failed') return null
  if (source.kind === 'new') {
    return <p className="text-ink-2">Save the draft to backtest it against the agent’s history.</p>
  }
  if (!read.input) return <p className="text-ink-2">A field of the form needs a value first.</p>
  return (
    <>
      <p className="text-ink-2">
        {base && changes === 0
          ? 'Change a rule to see which past spends it would have decided differently.'
          : 'Starts a moment after the last change.'}
      </p>
      {base ? <Strip editor={editor} range={range} /> : null}
    </>
  )
}

function Flips({ report }: { readonly report: Backtest }) {
  const same = report.replayed - report.newlyApproved - report.newlyRejected
  return (
    <dl className="grid grid-cols-3 rounded-2 border border-line bg-sheet">
      <Flip
        figure={`+ ${formatCount(report.newlyApproved)}`}
        label="newly approved"
        money={flipMoney(report, 'newlyApproved')}
        tone="text-ok"
      />
      <Flip
        figure={`− ${formatCount(report.newlyRejected)}`}
        label="newly rejected"
        money={flipMoney(report, 'newlyRejected')}
        tone="text-no"
      />
      <Flip
        figure={formatCount(same)}
        label="as before"
        money={report.newlyAsked > 0 ? [`${report.newlyAsked} need approval now`] : []}
        tone=""
      />
    </dl>
  )
}

interface FlipProps {
  readonly figure: string
  readonly label: string
  readonly money: readonly string[]
  readonly tone: string
}

function Flip({ figure, label, money, tone }: FlipProps) {
  return (
    <div className="flex min-w-0 flex-col-reverse justify-end px-2.5 py-2 not-first:border-l not-first:border-line">
      <dt className="text-small text-ink-2">
        {label}
        {money.map((text) => (
          <span className="block" key={text}>
            {text}
          </span>
        ))}
      </dt>
      <dd className={`text-lead font-strong tracking-figure ${tone}`}>{figure}</dd>
    </div>
  )
}
