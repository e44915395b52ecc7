import { Toggle } from '@base-ui/react/toggle'
import { ToggleGroup } from '@base-ui/react/toggle-group'
import type { ReactNode } from 'react'

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
  return (
    <ToggleGroup
      aria-label={label}
      className="inline-flex max-w-full gap-0.5 overflow-x-auto rounded-3 border border-line bg-well p-0.5"
      onValueChange={([next]) => {
        // A press on the choice that is set sends an empty list: one of them always stays set.
        if (next !== undefined) onChange(next as V)
      }}
      value={[value]}
    >
      {options.map((option) => (
        <Toggle
          className="inline-flex min-h-6.5 shrink-0 items-center gap-1.5 rounded-2 border border-transparent bg-transparent px-2.5 text-small font-medium whitespace-nowrap text-ink-2 hover:text-ink focus-visible:-outline-offset-2 focus-visible:rounded-2 data-pressed:border-line data-pressed:bg-raised data-pressed:text-ink data-pressed:shadow-1 pointer-coarse:min-h-10 forced-colors:data-pressed:bg-[Highlight] forced-colors:data-pressed:text-[HighlightText] forced-colors:data-pressed:forced-color-adjust-none"
          key={option.value}
          value={option.value}
        >
          {option.icon}
          {option.label}
          {option.count !== undefined && (
            <span className="font-regular text-ink-3">{option.count.toLocaleString('en')}</span>
          )}
        </Toggle>
      ))}
    </ToggleGroup>
  )
}
