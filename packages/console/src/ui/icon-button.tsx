import type { ReactNode } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { Kbd } from './kbd.tsx'
import { Tooltip } from './tooltip.tsx'

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'square'> {
  /** The name of the button, and its tooltip. */
  label: string
  icon: ReactNode
}

/** A square button with an icon alone. Quiet unless it says otherwise. */
export function IconButton({ label, kbd, variant = 'quiet', ...rest }: IconButtonProps) {
  const button = <Button aria-label={label} square variant={variant} {...rest} />
  if (rest.disabledReason !== undefined) return button
  return <Tooltip content={<Name keys={kbd ?? []} label={label} />}>{button}</Tooltip>
}

function Name({ label, keys }: { label: string; keys: readonly string[] }) {
  return (
    <span className="flex items-center gap-1.5">
      {label}
      {keys.map((key) => (
        <Kbd key={key}>{key}</Kbd>
      ))}
    </span>
  )
}
