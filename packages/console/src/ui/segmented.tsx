import type { ReactNode } from 'react'
import { moveFocus } from './move-focus.ts'
import { SEGMENT, SEGMENT_COUNT, SEGMENTS } from './segment-classes.ts'

export interface SegmentedOption<V extends string> {
  value: V
  label: ReactNode
  icon?: ReactNode
  count?: number | undefined
}

export interface SegmentedProps<V extends string> {
  value: V
  onChange: (value: V) => void
  options: readonly SegmentedOption<V>[]
  /** The name of the whole control. */
  label: string
}

/** One of a few choices, all in view. Arrow keys move between them. */
export function Segmented<V extends string>(props: SegmentedProps<V>) {
  const { value, onChange, options, label } = props
  // One of them is the tab stop, also while none is chosen.
  const stop = Math.max(
    0,
    options.findIndex((option) => option.value === value),
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has no role of a toolbar of choices
    <div
      aria-label={label}
      className={`${SEGMENTS} overflow-x-auto`}
      onKeyDown={(event) => moveFocus(event, 'button')}
      role="group"
    >
      {options.map((option, index) => (
        <button
          aria-pressed={option.value === value}
          className={SEGMENT}
          key={option.value}
          onClick={() => {
            if (option.value !== value) onChange(option.value)
          }}
          tabIndex={index === stop ? 0 : -1}
          type="button"
        >
          {option.icon}
          {option.label}
          {option.count !== undefined && (
            <span className={SEGMENT_COUNT}>{option.count.toLocaleString('en')}</span>
          )}
        </button>
      ))}
    </div>
  )
}
