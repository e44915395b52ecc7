import type { ReactNode } from 'react'
import { moveFocus } from './move-focus.ts'

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
      className="inline-flex max-w-full gap-0.5 overflow-x-auto rounded-3 border border-line bg-well p-0.5"
      onKeyDown={(event) => moveFocus(event, 'button')}
      role="group"
    >
      {options.map((option, index) => (
        <button
          aria-pressed={option.value === value}
          className="inline-flex min-h-6.5 shrink-0 items-center gap-1.5 rounded-2 border border-transparent bg-transparent px-2.5 text-small font-medium whitespace-nowrap text-ink-2 hover:text-ink focus-visible:-outline-offset-2 focus-visible:rounded-2 aria-pressed:border-line aria-pressed:bg-raised aria-pressed:text-ink aria-pressed:shadow-1 pointer-coarse:min-h-10 forced-colors:aria-pressed:bg-[Highlight] forced-colors:aria-pressed:text-[HighlightText] forced-colors:aria-pressed:forced-color-adjust-none"
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
            <span className="font-regular text-ink-3">{option.count.toLocaleString('en')}</span>
          )}
        </button>
      ))}
    </div>
  )
}
