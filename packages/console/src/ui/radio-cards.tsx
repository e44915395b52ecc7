import { type ReactNode, useId } from 'react'
import { cx } from './cx.ts'

export interface RadioCard<V extends string> {
  value: V
  title: ReactNode
  children?: ReactNode
  icon?: ReactNode
  /** Brass: a person should look before they choose this one. */
  warns?: boolean | undefined
  disabled?: boolean | undefined
}

export interface RadioCardsProps<V extends string> {
  value: V | null
  onChange: (value: V) => void
  options: readonly RadioCard<V>[]
  label: string
  /** How many stand side by side on a wide page. */
  columns?: 1 | 2 | 3 | undefined
  /** The label is for screen readers only, because a heading says it. */
  hideLabel?: boolean | undefined
}

const COLUMNS = { 1: '', 2: 'tablet:grid-cols-2', 3: 'tablet:grid-cols-3' }

/** One of a few choices that need a sentence each. */
export function RadioCards<V extends string>(props: RadioCardsProps<V>) {
  const { value, onChange, options, label, columns = 1, hideLabel = false } = props
  const id = useId()
  return (
    <div>
      <div className={hideLabel ? 'sr-only' : 'mb-1.25 font-medium'} id={`${id}-label`}>
        {label}
      </div>
      <div
        aria-labelledby={`${id}-label`}
        className={cx('grid gap-2', COLUMNS[columns])}
        role="radiogroup"
      >
        {options.map((option) => (
          <label
            className={cx(
              'flex cursor-default items-start gap-2.5 rounded-3 border border-line-strong bg-raised px-3 py-2.5 has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
              option.warns
                ? 'has-checked:border-ask-fill has-checked:bg-ask-soft'
                : 'hover:border-line-control has-checked:border-accent',
              option.disabled && 'text-ink-off',
            )}
            key={option.value}
          >
            <input
              checked={option.value === value}
              className="relative mt-[2.5px] size-3.75 shrink-0 appearance-none rounded-full border border-line-control bg-raised outline-none checked:before:absolute checked:before:inset-1 checked:before:rounded-full checked:before:bg-sheet checked:border-accent checked:bg-accent focus-visible:outline-none forced-colors:appearance-auto"
              disabled={option.disabled}
              name={id}
              onChange={() => onChange(option.value)}
              type="radio"
            />
            <span className="min-w-0 flex-1">
              <span className="flex items-center gap-1.5 font-medium">
                {option.icon}
                {option.title}
              </span>
              {option.children !== undefined && (
                <span className="block text-small text-ink-2">{option.children}</span>
              )}
            </span>
          </label>
        ))}
      </div>
    </div>
  )
}
