import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export interface ComboboxOption {
  value: string
  label: string
  hint?: ReactNode
}

interface ComboboxListProps {
  id: string
  open: boolean
  options: readonly ComboboxOption[]
  active: number
  value: string
  emptyText: string
  onPick: (option: ComboboxOption) => void
}

/** The options under a combobox. The focus stays in the field, which names the active one. */
export function ComboboxList(props: ComboboxListProps) {
  const { id, open, options, active, value, emptyText, onPick } = props
  if (!open) return <span hidden id={id} role="listbox" />
  return (
    <div
      className="absolute inset-x-0 top-full z-(--z-menu) mt-1 max-h-64 overflow-y-auto overscroll-contain rounded-3 border border-line bg-raised p-1 text-ink shadow-2"
      // A press keeps the focus in the field.
      onPointerDown={(event) => event.preventDefault()}
    >
      <div aria-label="Choices" id={id} role="listbox">
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and takes the keys.
          <div
            aria-selected={option.value === value}
            className={cx(
              'flex min-h-8 cursor-default select-none items-center gap-2 rounded-2 px-2 py-1.5 hover:bg-hover pointer-coarse:min-h-11',
              index === active &&
                'bg-selected hover:bg-selected forced-colors:bg-[Highlight] forced-colors:text-[HighlightText] forced-colors:forced-color-adjust-none',
            )}
            id={`${id}-${index}`}
            key={option.value}
            onClick={() => onPick(option)}
            role="option"
            tabIndex={-1}
          >
            <span className="min-w-0 flex-1">
              {option.label}
              {option.hint !== undefined && (
                <span className="block text-small text-ink-3">{option.hint}</span>
              )}
            </span>
            {option.value === value && (
              <Check aria-hidden="true" className="shrink-0 text-accent" size={14} />
            )}
          </div>
        ))}
      </div>
      {options.length === 0 && (
        <div className="px-2 py-1.5 text-ink-3" role="status">
          {emptyText}
        </div>
      )}
    </div>
  )
}
