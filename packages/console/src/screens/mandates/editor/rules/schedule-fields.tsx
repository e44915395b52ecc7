import type { Weekday } from '@purser/sdk'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { cx } from '../../../../ui/cx.ts'
import { IconButton } from '../../../../ui/icon-button.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { windowText } from '../../../../words/schedule-words.ts'
import type { WindowForm } from '../form/rule-form.ts'
import { type FieldsProps, textProps, withWindows } from './fields-props.ts'

const DAYS: readonly (readonly [Weekday, string, string])[] = [
  ['mon', 'M', 'Monday'],
  ['tue', 'T', 'Tuesday'],
  ['wed', 'W', 'Wednesday'],
  ['thu', 'T', 'Thursday'],
  ['fri', 'F', 'Friday'],
  ['sat', 'S', 'Saturday'],
  ['sun', 'S', 'Sunday'],
]
const WORKDAYS: WindowForm = {
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  from: '07:00',
  to: '19:00',
}

/** The hours of the week in which spends pass. */
export function ScheduleFields(props: FieldsProps) {
  const { rule, before, version, onChange, problem } = props
  const { windows } = rule
  const set = (index: number, change: Partial<WindowForm>) =>
    onChange(
      withWindows(
        rule,
        windows.map((one, at) => (at === index ? { ...one, ...change } : one)),
      ),
    )
  const was = before && textOf(before.windows) !== textOf(windows) ? before.windows : undefined
  const [isOpen, setOpen] = useState(before === undefined)
  return (
    <>
      <div className="flex flex-wrap items-center gap-1.25 pt-1">
        {windows.map((window, index) => (
          <span
            className="inline-flex min-h-6 items-center rounded-1 bg-done-soft px-2 text-small"
            // biome-ignore lint/suspicious/noArrayIndexKey: a window has no other identity.
            key={index}
          >
            {windowText(window)}
          </span>
        ))}
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} size="sm" variant="quiet">
          {isOpen ? 'Done' : 'Change'}
        </Button>
      </div>
      {isOpen ? <Windows props={props} set={set} /> : null}
      {problem('windows') ? (
        <div className="mt-1 text-small text-no">{problem('windows')}</div>
      ) : null}
      {was ? (
        <div className="mt-1 text-small text-accent">
          was {textOf(was)} in version {version}
        </div>
      ) : null}
    </>
  )
}

interface WindowsProps {
  readonly props: FieldsProps
  readonly set: (index: number, change: Partial<WindowForm>) => void
}

function Windows({ props, set }: WindowsProps) {
  const { rule, onChange, timezone } = props
  const { windows } = rule
  return (
    <>
      <ul className="mt-2 grid gap-2">
        {windows.map((window, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a window has no other identity.
          <li key={index}>
            <WindowRow
              number={index + 1}
              onChange={(change) => set(index, change)}
              onRemove={
                windows.length > 1
                  ? () =>
                      onChange(
                        withWindows(
                          rule,
                          windows.filter((_, at) => at !== index),
                        ),
                      )
                  : undefined
              }
              window={window}
            />
          </li>
        ))}
      </ul>
      <Button
        className="mt-1.5 -ml-2"
        icon={<Plus aria-hidden size={12} />}
        onClick={() => onChange(withWindows(rule, [...windows, WORKDAYS]))}
        size="sm"
        variant="quiet"
      >
        More hours
      </Button>
      <div className="mt-1.5 max-w-60">
        <TextField
          help={`Empty: ${timezone}, as the mandate`}
          label="Time zone"
          placeholder={timezone}
          {...textProps(props, 'timezone')}
        />
      </div>
    </>
  )
}

function textOf(windows: readonly WindowForm[]): string {
  return windows.map(windowText).join('; ')
}

interface WindowRowProps {
  readonly window: WindowForm
  readonly number: number
  readonly onChange: (change: Partial<WindowForm>) => void
  readonly onRemove: (() => void) | undefined
}

function WindowRow({ window: { days, from, to }, number, onChange, onRemove }: WindowRowProps) {
  const isEvery = days.length === 0
  const toggle = (day: Weekday) => {
    const chosen = new Set<Weekday>(isEvery ? DAYS.map(([one]) => one) : days)
    if (!chosen.delete(day)) chosen.add(day)
    const next = DAYS.map(([one]) => one).filter((one) => chosen.has(one))
    if (next.length > 0) onChange({ days: next })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot wrap its legend inline.
    <div
      aria-label={`Hours ${number}`}
      className="flex flex-wrap items-center gap-x-2 gap-y-1.5"
      role="group"
    >
      <span className="inline-flex gap-0.5">
        {DAYS.map(([day, letter, name]) => {
          const isOn = isEvery || days.includes(day)
          return (
            <button
              aria-label={name}
              aria-pressed={isOn}
              className={cx(
                'size-6.5 rounded-1 border text-small font-medium pointer-coarse:size-11',
                isOn
                  ? 'border-accent-line bg-accent-soft text-accent'
                  : 'border-line bg-raised text-ink-3 hover:text-ink',
              )}
              key={day}
              onClick={() => toggle(day)}
              type="button"
            >
              {letter}
            </button>
          )
        })}
      </span>
      <span className="inline-flex items-center gap-1.5">
        <span className="w-16">
          <TextField
            aria-label={`Hours ${number}, from`}
            onChange={(value) => onChange({ from: value })}
            inputMode="numeric"
            maxLength={5}
            placeholder="07:00"
            value={from}
          />
        </span>
        <span className="text-ink-2">to</span>
        <span className="w-16">
          <TextField
            aria-label={`Hours ${number}, to`}
            onChange={(value) => onChange({ to: value })}
            inputMode="numeric"
            maxLength={5}
            placeholder="07:00"
            value={to}
          />
        </span>
        {onRemove ? (
          <IconButton
            icon={<X aria-hidden size={14} />}
            label={`Remove hours ${number}`}
            onClick={onRemove}
            size="sm"
          />
        ) : null}
      </span>
    </div>
  )
}
