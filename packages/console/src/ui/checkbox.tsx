import { Check, Minus } from 'lucide-react'
import { type ReactNode, useId } from 'react'

export interface CheckboxProps {
  checked: boolean | 'some'
  onChange: (checked: boolean) => void
  /** The words beside the box. Without them `aria-label` is needed. */
  label?: ReactNode
  help?: ReactNode
  disabled?: boolean | undefined
  'aria-label'?: string | undefined
}

export function Checkbox({ checked, onChange, label, help, disabled, ...rest }: CheckboxProps) {
  const id = useId()
  const Mark = checked === 'some' ? Minus : Check
  const box = (
    <span className="relative mt-[2.5px] grid size-3.75 shrink-0 place-items-center">
      <input
        aria-describedby={help === undefined ? undefined : `${id}-help`}
        aria-label={rest['aria-label']}
        checked={checked === true}
        className="absolute inset-0 appearance-none rounded-[3px] border border-line-control bg-raised outline-offset-2 before:absolute before:-inset-1.5 checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent disabled:border-line-strong disabled:bg-well forced-colors:appearance-auto"
        disabled={disabled}
        id={id}
        onChange={({ target }) => onChange(target.checked)}
        ref={(element) => {
          if (element) element.indeterminate = checked === 'some'
        }}
        type="checkbox"
      />
      {checked !== false && (
        <Mark
          aria-hidden="true"
          className="pointer-events-none relative text-sheet forced-colors:hidden"
          size={11}
          strokeWidth={2}
        />
      )}
    </span>
  )
  if (label === undefined) return box
  return (
    <div className="flex items-start gap-2.25 pointer-coarse:min-h-11 pointer-coarse:items-center">
      {box}
      <div className="min-w-0">
        <label className={disabled ? 'text-ink-off' : undefined} htmlFor={id}>
          {label}
        </label>
        {help !== undefined && (
          <div className="text-small text-ink-3" id={`${id}-help`}>
            {help}
          </div>
        )}
      </div>
    </div>
  )
}
