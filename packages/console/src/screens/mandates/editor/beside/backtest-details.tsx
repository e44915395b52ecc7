import type { Backtest } from '@purser/sdk'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { countOf } from '../../../../words/text.ts'
import { NOT_REPLAYED_WORDS } from './backtest-input.ts'
import { Examples } from './examples.tsx'

interface BacktestDetailsProps {
  readonly report: Backtest
  readonly onClose: () => void
}

/** Every spend that changes, and the assumptions of the backtest. */
export function BacktestDetails({ report, onClose }: BacktestDetailsProps) {
  const { newlyApproved, newlyRejected, examples, assumptions, notReplayed } = report
  const changed = newlyApproved + newlyRejected
  return (
    <Dialog
      description="The backtest changes nothing. It replays the record with the rules of the form."
      footer={<Button onClick={onClose}>Close</Button>}
      onClose={onClose}
      open
      title={changed === 0 ? 'No spend changes' : `${countOf(changed, 'spend')} would change`}
    >
      <div className="max-h-[52vh] overflow-y-auto">
        <Examples examples={examples} />
        {changed > examples.length ? (
          <p className="mt-1 text-small text-ink-3">
            The {examples.length} largest of {countOf(changed, 'spend')}.
          </p>
        ) : null}
        <List label="Assumptions" texts={assumptions} />
        <List
          label="Not replayed"
          texts={notReplayed.map(
            ({ reason, count }) =>
              `${NOT_REPLAYED_WORDS[reason] ?? reason}: ${countOf(count, 'decision')}, unchanged.`,
          )}
        />
      </div>
    </Dialog>
  )
}

function List({ label, texts }: { readonly label: string; readonly texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <section className="mt-4">
      <h3 className="font-strong">{label}</h3>
      <ul className="mt-1 list-disc pl-4.5 text-ink-2">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </section>
  )
}
