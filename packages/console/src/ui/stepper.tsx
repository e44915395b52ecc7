import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export interface Step {
  id: string
  title: ReactNode
  note?: ReactNode
  state: 'done' | 'now' | 'next'
}

const NUMBER =
  'grid size-5.5 shrink-0 place-items-center rounded-full border-[1.5px] text-small font-strong'
const LOOK: Record<Step['state'], string> = {
  done: 'border-ok-line bg-ok-soft text-ok',
  now: 'border-navy bg-navy text-on-navy',
  next: 'border-line-control text-ink-2',
}
const WORD: Record<Step['state'], string> = { done: 'Done: ', now: '', next: '' }

/** The steps of a set-up, the one that is due marked. */
export function Stepper({ steps, label }: { steps: readonly Step[]; label: string }) {
  return (
    <ol aria-label={label}>
      {steps.map((step, index) => (
        <li
          aria-current={step.state === 'now' ? 'step' : undefined}
          className={cx(
            'flex gap-3 rounded-3 border px-3 py-2.75',
            step.state === 'now' ? 'border-line bg-well' : 'border-transparent',
          )}
          key={step.id}
        >
          <span aria-hidden="true" className={`${NUMBER} ${LOOK[step.state]}`}>
            {step.state === 'done' ? <Check size={13} strokeWidth={2} /> : index + 1}
          </span>
          <div className="min-w-0">
            <div className={cx('font-medium', step.state === 'done' && 'text-ink-2')}>
              <span className="sr-only">{WORD[step.state]}</span>
              {step.title}
            </div>
            {step.note !== undefined && <div className="text-small text-ink-3">{step.note}</div>}
          </div>
        </li>
      ))}
    </ol>
  )
}
