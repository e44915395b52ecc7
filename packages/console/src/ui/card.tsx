import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'

export interface CardProps extends ComponentProps<'section'> {
  /** A darker ground, for things that are beside the matter. */
  well?: boolean | undefined
}

export function Card({ well = false, className, ...rest }: CardProps) {
  return (
    <section
      className={cx(
        'min-w-0 rounded-3 border border-line',
        well ? 'bg-well' : 'bg-sheet',
        className,
      )}
      data-print="whole"
      {...rest}
    />
  )
}

export interface CardHeaderProps {
  title: ReactNode
  /** A dim sentence beside the title. */
  note?: ReactNode
  /** At the end of the line: a link, a legend, a button. */
  action?: ReactNode
  /** The level of the heading. */
  as?: 'h2' | 'h3' | undefined
  id?: string | undefined
}

export function CardHeader({ title, note, action, as: Heading = 'h2', id }: CardHeaderProps) {
  return (
    <header className="flex min-h-11.5 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-3.5 py-2">
      <Heading className="text-body font-strong" id={id}>
        {title}
      </Heading>
      {note !== undefined && <span className="text-small text-ink-3">{note}</span>}
      {action !== undefined && (
        <div className="ml-auto flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-ink-2">
          {action}
        </div>
      )}
    </header>
  )
}

export function CardBody({ className, ...rest }: ComponentProps<'div'>) {
  return <div className={cx('p-3.5', className)} {...rest} />
}
