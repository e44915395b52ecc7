import type { ReactNode } from 'react'

interface CardHeadProps {
  readonly icon: ReactNode
  readonly title: string
  readonly id: string
  readonly note?: ReactNode
}

/** The head of a card beside the form: a sign, a title, and a note at the end. */
export function CardHead({ icon, title, id, note }: CardHeadProps) {
  return (
    <header className="flex min-h-10 flex-wrap items-center gap-x-2 border-b border-line px-3.5 py-1.5">
      {icon}
      <h2 className="text-body font-strong" id={id}>
        {title}
      </h2>
      {note !== undefined && <span className="ml-auto text-small text-ink-3">{note}</span>}
    </header>
  )
}
