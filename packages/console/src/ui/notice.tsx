import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { TONE_CLASS, type Tone } from './tone.ts'

export interface NoticeProps {
  /** Without a tone the notice is plain. `accent` is for something that helps. */
  tone?: Tone | 'accent' | undefined
  icon?: ReactNode
  title?: ReactNode
  children?: ReactNode
  action?: ReactNode
  /** Announces the notice when it appears. An error that follows from a press has `alert`. */
  role?: 'alert' | 'status' | undefined
  className?: string | undefined
}

const PLAIN = 'border-line bg-well [&>svg]:text-ink-2'
const ACCENT = 'border-accent-line bg-accent-soft [&>svg]:text-accent'
const TONED = 'border-tone-line bg-tone-soft [&>svg]:text-tone'

export function Notice({ tone, icon, title, children, action, role, className }: NoticeProps) {
  const look =
    tone === undefined ? PLAIN : tone === 'accent' ? ACCENT : `${TONED} ${TONE_CLASS[tone]}`
  return (
    <div
      className={cx(
        'flex flex-wrap items-start gap-x-2.5 gap-y-2 rounded-3 border px-3 py-2.25 phone:flex-nowrap [&>svg]:mt-0.5 [&>svg]:shrink-0',
        look,
        className,
      )}
      role={role}
    >
      {icon}
      <div
        className="min-w-0 flex-1 basis-[calc(100%-2.5rem)] text-ink phone:basis-0"
        data-prose=""
      >
        {title !== undefined && <b>{title}</b>}
        {title !== undefined && children !== undefined && ' '}
        {children}
      </div>
      {action !== undefined && <div className="flex shrink-0 gap-2">{action}</div>}
    </div>
  )
}
