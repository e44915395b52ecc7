import type { ReactNode } from 'react'

export interface DrawerSectionProps {
  title?: ReactNode
  /** At the end of the title's line. */
  action?: ReactNode
  children: ReactNode
}

/** A part of a drawer. A hairline divides it from the one before. */
export function DrawerSection({ title, action, children }: DrawerSectionProps) {
  return (
    <section className="border-line px-5 py-4 not-first:border-t">
      {title !== undefined && (
        <div className="mb-2 flex items-center gap-2">
          <h3 className="text-small font-medium text-ink-3">{title}</h3>
          {action !== undefined && <div className="ml-auto text-small">{action}</div>}
        </div>
      )}
      {children}
    </section>
  )
}
