import type { ReactElement, ReactNode } from 'react'
import { linkElement } from './link-element.tsx'

export interface Crumb {
  label: ReactNode
  href?: string | undefined
  /** A link of the router in place of `href`. */
  render?: ReactElement | undefined
}

export interface PageHeaderProps {
  title: ReactNode
  crumbs?: readonly Crumb[] | undefined
  /** Beside the title: a status, a count, how live the page is. */
  after?: ReactNode
  /** Actions at the end of the line. */
  children?: ReactNode
}

/** The bar at the top of a sheet. It holds the only `h1`. */
export function PageHeader({ title, crumbs = [], after, children }: PageHeaderProps) {
  return (
    <header className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-2 tablet:px-6 print:px-0">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        {crumbs.length > 0 && (
          <nav aria-label="Where this page is">
            <ol className="flex flex-wrap items-center gap-1 text-ink-3">
              {crumbs.map((crumb, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the way to a page has a fixed order.
                <li className="flex items-center gap-1" key={index}>
                  <CrumbLink crumb={crumb} />
                  <span aria-hidden="true">/</span>
                </li>
              ))}
            </ol>
          </nav>
        )}
        <h1 className="min-w-0 text-lead font-strong tracking-tight phone:text-title">{title}</h1>
        {after !== undefined && (
          <div className="flex min-w-0 flex-wrap items-center gap-2 text-ink-3">{after}</div>
        )}
      </div>
      {children !== undefined && (
        <div className="ml-auto flex min-w-0 flex-wrap items-center gap-2" data-print="none">
          {children}
        </div>
      )}
    </header>
  )
}

function CrumbLink({ crumb }: { crumb: Crumb }) {
  return linkElement(crumb.render, crumb.href, crumb.label, {
    className: 'text-ink-3 hover:text-ink',
  })
}
