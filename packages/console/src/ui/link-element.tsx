import { cloneElement, type ReactElement, type ReactNode } from 'react'

/** A link of the page or of the router, with the given inside in place of its own. */
export function linkElement(
  render: ReactElement | undefined,
  href: string | undefined,
  inside: ReactNode,
): ReactElement {
  return cloneElement(render ?? <a href={href}>{inside}</a>, {}, inside)
}
