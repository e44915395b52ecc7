import { Switch as Base } from '@base-ui/react/switch'
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
    <Base.Root
      aria-describedby={help === undefined ? undefined : `${id}-help`}
      aria-label={rest['aria-label']}
      aria-labelledby={label === undefined ? undefined : `${id}-label`}
      checked={checked}
      className="relative inline-block h-4.5 w-8 shrink-0 rounded-full bg-line-control outline-offset-2 transition-colors duration-(--m-fast) before:absolute before:-inset-1 focus-visible:rounded-full data-checked:bg-accent data-disabled:opacity-50 pointer-coarse:before:-inset-3.5 forced-colors:border forced-colors:data-checked:bg-[Highlight]"
      disabled={disabled === true}
      id={id}
      onCheckedChange={onChange}
    >
      <Base.Thumb className="absolute top-0.5 left-0.5 size-3.5 rounded-full bg-sheet transition-transform duration-(--m-fast) ease-standard data-checked:translate-x-3.5 forced-colors:bg-[ButtonText]" />
    </Base.Root>
  )
  if (label === undefined) return control
  return (
    <div className="flex items-start gap-2.5">
      <span className="flex h-5 items-center">{control}</span>
      <div className="min-w-0">
        <label className="font-medium" htmlFor={id} id={`${id}-label`}>
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
