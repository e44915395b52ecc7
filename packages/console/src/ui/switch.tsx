import { type ReactNode, useId } from 'react'

export interface SwitchProps {
  checked: boolean
  onChange: (checked: boolean) => void
  label?: ReactNode
  help?: ReactNode
  disabled?: boolean | undefined
  'aria-label'?: string | undefined
}

/** Acts at once. A choice that waits for Save is a Checkbox. */
export function Switch({ checked, onChange, label, help, disabled, ...rest }: SwitchProps) {
  const id = useId()
  const control = (
    <input
      aria-describedby={help === undefined ? undefined : `${id}-help`}
      aria-label={rest['aria-label']}
      aria-checked={checked}
      checked={checked}
      className="relative inline-block h-4.5 w-8 shrink-0 appearance-none rounded-full bg-line-control outline-offset-2 transition-colors duration-(--m-fast) before:absolute before:-inset-1 after:absolute after:top-0.5 after:left-0.5 after:size-3.5 after:rounded-full after:bg-sheet after:transition-transform after:duration-(--m-fast) after:ease-standard checked:bg-accent checked:after:translate-x-3.5 focus-visible:rounded-full disabled:opacity-50 pointer-coarse:before:-inset-3.5 forced-colors:border forced-colors:after:bg-[ButtonText] forced-colors:checked:bg-[Highlight]"
      disabled={disabled}
      id={id}
      onChange={({ target }) => onChange(target.checked)}
      role="switch"
      type="checkbox"
    />
  )
  if (label === undefined) return control
  return (
    <div className="flex items-start gap-2.5">
      <span className="flex h-5 items-center">{control}</span>
      <div className="min-w-0">
        <label className="font-medium" htmlFor={id}>
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
