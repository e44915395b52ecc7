import { Checkbox as Base } from '@base-ui/react/checkbox'
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
  const box = (
    <Base.Root
      aria-describedby={help === undefined ? undefined : `${id}-help`}
      aria-label={rest['aria-label']}
      aria-labelledby={label === undefined ? undefined : `${id}-label`}
      checked={checked === true}
      className="relative mt-[2.5px] grid size-3.75 shrink-0 place-items-center rounded-[3px] border border-line-control bg-raised text-sheet outline-offset-2 before:absolute before:-inset-1.5 data-checked:border-accent data-checked:bg-accent data-disabled:border-line-strong data-disabled:bg-well data-indeterminate:border-accent data-indeterminate:bg-accent forced-colors:data-checked:bg-[Highlight]"
      disabled={disabled === true}
      id={id}
      indeterminate={checked === 'some'}
      onCheckedChange={onChange}
    >
      <Base.Indicator>
        {checked === 'some' ? (
          <Minus aria-hidden="true" size={11} strokeWidth={2} />
        ) : (
          <Check aria-hidden="true" size={11} strokeWidth={2} />
        )}
      </Base.Indicator>
    </Base.Root>
  )
  if (label === undefined) return box
  return (
    <div className="flex items-start gap-2.25 pointer-coarse:min-h-11 pointer-coarse:items-center">
      {box}
      <div className="min-w-0">
        <label className={disabled ? 'text-ink-off' : undefined} htmlFor={id} id={`${id}-label`}>
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
