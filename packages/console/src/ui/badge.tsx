import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { TONE_CLASS, type Tone } from './tone.ts'

export interface BadgeProps {
  tone: Tone
  /** A status reads in black and white, so it has an icon and a word. */
  icon?: ReactNode
  children: ReactNode
  /** For things that ended by themselves, such as an expired hold. */
  dashed?: boolean | undefined
}

/** A status. Never a button. */
export function Badge({ tone, icon, children, dashed = false }: BadgeProps) {
  return (
    <span
      className={cx(
        'inline-flex min-h-5 items-center gap-1.25 rounded-1 border border-tone-line bg-tone-soft pr-1.5 pl-1 align-middle text-small leading-4.5 font-medium whitespace-nowrap text-tone [&_svg]:size-3.25 [&_svg]:shrink-0',
        icon === undefined && 'pl-1.5',
        dashed && 'border-dashed',
        TONE_CLASS[tone],
      )}
    >
      {icon}
      {children}
    </span>
  )
}
